#include <string>

#include "../loop_fixture.h"
#include "controllers/loop/loop_host.h"

namespace tabernetes::controllers {
namespace {

constexpr LoopFixture::Resource kExpiring{"", "v1", "events"};

std::string event_text(std::string_view name, std::string_view more = {}) {
  return R"({"metadata":{"name":")" + std::string(name) + R"(","namespace":"default"},)" +
         R"("involvedObject":{"kind":"Pod","namespace":"default","name":"a"},"reason":"Happened")" +
         std::string(more) + "}";
}

// At 2026-01-01T00:00:30Z.
class ExpiryFixture : public LoopFixture {
 public:
  ExpiryFixture() {
    now = Time::from_unix_milliseconds(1'767'225'630'000);
    store.advance(now);
  }
  // Moves on to so many seconds after midnight; returns the names of the events then.
  std::string names_at(std::int64_t second) {
    run(Time::from_unix_milliseconds((1'767'225'600 + second) * 1000) - now);
    return names(kExpiring, "default");
  }
};

TEST_CASE("event expiry: an event goes an hour after its minute", "[controllers]") {
  ExpiryFixture cluster;
  REQUIRE(cluster.create(kExpiring, "default", event_text("a")) == "");
  CHECK(cluster.names_at(75) == "a");
  REQUIRE(cluster.create(kExpiring, "default", event_text("b")) == "");
  CHECK(cluster.names_at(3659) == "a b");
  CHECK(cluster.names_at(3660) == "b");
  CHECK(cluster.names_at(3719) == "b");
  CHECK(cluster.names_at(3720) == "");
  CHECK(!cluster.next());
}

TEST_CASE("event expiry: an update gives it another hour", "[controllers]") {
  ExpiryFixture cluster;
  REQUIRE(cluster.create(kExpiring, "default", event_text("a")) == "");
  CHECK(cluster.names_at(1800) == "a");
  REQUIRE(cluster.update(kExpiring, "default", event_text("a", R"(,"count":2)")) == "");
  CHECK(cluster.names_at(3660) == "a");
  CHECK(cluster.names_at(5459) == "a");
  CHECK(cluster.names_at(5460) == "");
}

TEST_CASE("event expiry: it is gone whatever its finalizers are, and for watchers deleted",
          "[controllers]") {
  ExpiryFixture cluster;
  cluster.put(kExpiring, "default",
              R"({"metadata":{"name":"a","namespace":"default","finalizers":["example.com/x"]}})");
  CHECK(cluster.names_at(3659) == "a");
  const std::size_t seen = cluster.store.history().end();
  CHECK(cluster.names_at(3661) == "");
  REQUIRE(cluster.store.history().end() == seen + 1);
  const store::EventPtr last = cluster.store.history().at(seen);
  CHECK(last->current == nullptr);
  CHECK(last->key == "core/events/default/a");
}

TEST_CASE("event expiry: what is left of the hour is kept when loops begin anew", "[controllers]") {
  ExpiryFixture cluster;
  REQUIRE(cluster.create(kExpiring, "default", event_text("a")) == "");
  cluster.put(kExpiring, "default",
              R"({"metadata":{"name":"old","namespace":"default"},)"
              R"("lastTimestamp":"2020-01-01T00:00:00Z"})");
  CHECK(cluster.names_at(1800) == "a old");
  cluster.start_anew();
  CHECK(cluster.names_at(1801) == "a old");
  CHECK(cluster.names_at(3659) == "a old");
  // One whose hour was over gets another one.
  CHECK(cluster.names_at(3660) == "old");
  CHECK(cluster.names_at(5459) == "old");
  CHECK(cluster.names_at(5460) == "");
}

TEST_CASE("event expiry: it is not work that a cluster has to do before it rests",
          "[controllers]") {
  ExpiryFixture cluster;
  REQUIRE(cluster.create(kExpiring, "default", event_text("a")) == "");
  CHECK(cluster.settled());
}

TEST_CASE("event expiry: storage that does it is left to it", "[controllers]") {
  ExpiryFixture cluster;
  const LoopHost host{
      .sign_certificate = {}, .root_certificate = {}, .access = {}, .storage_expires = true};
  cluster.set_host(&host);
  REQUIRE(cluster.create(kExpiring, "default", event_text("a")) == "");
  CHECK(cluster.names_at(4000) == "a");
}

}  // namespace
}  // namespace tabernetes::controllers
