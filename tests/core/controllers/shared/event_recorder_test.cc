#include "controllers/shared/event_recorder.h"

#include "../../registry_fixture.h"

namespace tabernetes::controllers {
namespace {

using tests::RegistryFixture;

constexpr RegistryFixture::Resource kRecorded{"", "v1", "events"};
constexpr RegistryFixture::Resource kSubjects{"", "v1", "configmaps"};

// A cluster with the ConfigMap `a` and the node `n`, at 2026-01-01T00:00:00Z.
class RecorderFixture : public RegistryFixture {
 public:
  RecorderFixture() {
    now = Time::from_unix_milliseconds(1'767'225'600'000);
    put(kSubjects, "default", R"({"metadata":{"name":"a","uid":"ua"}})");
    put({"", "v1", "nodes"}, "", R"({"metadata":{"name":"n","uid":"un"}})");
  }
  void record(const Resource& resource, std::string_view ns, std::string_view name,
              const EventText& text) {
    record_event({registry, arena, now, now, informers_, correlator_},
                 {&type_of(resource), ns, name}, text);
  }

 private:
  Informers informers_;
  EventCorrelator correlator_;
};

constexpr EventText kHappened{"loop", "Warning", "Happened", "it happened"};

TEST_CASE("event recorder: an event has its subject, its time and who tells it", "[controllers]") {
  RecorderFixture cluster;
  cluster.record(kSubjects, "default", "a", kHappened);
  REQUIRE(cluster.names(kRecorded, "default") == "a.18867251edfa0000");
  const auto member = [&](std::string_view path) {
    return cluster.stored(kRecorded, "default", "a.18867251edfa0000", path);
  };
  CHECK(member("involvedObject") ==
        R"({"kind":"ConfigMap","namespace":"default","name":"a","uid":"ua","apiVersion":"v1",)"
        R"("resourceVersion":"3"})");
  CHECK(member("source") == R"({"component":"loop"})");
  CHECK(member("reportingComponent") == R"("loop")");
  CHECK(member("type") == R"("Warning")");
  CHECK(member("reason") == R"("Happened")");
  CHECK(member("message") == R"("it happened")");
  CHECK(member("count") == "1");
  CHECK(member("firstTimestamp") == R"("2026-01-01T00:00:00Z")");
  CHECK(member("lastTimestamp") == R"("2026-01-01T00:00:00Z")");
}

TEST_CASE("event recorder: the same once more is counted", "[controllers]") {
  RecorderFixture cluster;
  cluster.record(kSubjects, "default", "a", kHappened);
  const std::string name = cluster.names(kRecorded, "default");
  for (int i = 0; i < 2; ++i) {
    cluster.now = cluster.now + Duration::from_seconds(5);
    cluster.record(kSubjects, "default", "a", kHappened);
  }
  CHECK(cluster.names(kRecorded, "default") == name);
  CHECK(cluster.stored(kRecorded, "default", name, "count") == "3");
  CHECK(cluster.stored(kRecorded, "default", name, "firstTimestamp") ==
        R"("2026-01-01T00:00:00Z")");
  CHECK(cluster.stored(kRecorded, "default", name, "lastTimestamp") == R"("2026-01-01T00:00:10Z")");
}

TEST_CASE("event recorder: what differs is an event of its own", "[controllers]") {
  const EventText others[] = {
      {"pool", "Warning", "Happened", "it happened"},
      {"loop", "Normal", "Happened", "it happened"},
      {"loop", "Warning", "Passed", "it happened"},
      {"loop", "Warning", "Happened", "it happened again"},
  };
  RecorderFixture cluster;
  cluster.record(kSubjects, "default", "a", kHappened);
  for (const EventText& other : others) cluster.record(kSubjects, "default", "a", other);
  // Of the same moment, each a nanosecond later.
  CHECK(cluster.names(kRecorded, "default") ==
        "a.18867251edfa0000 a.18867251edfa0001 a.18867251edfa0002 a.18867251edfa0003 "
        "a.18867251edfa0004");
  // Another object of that name.
  cluster.put(kSubjects, "default", R"({"metadata":{"name":"a","uid":"new"}})");
  cluster.record(kSubjects, "default", "a", kHappened);
  CHECK(cluster.stored(kRecorded, "default", "a.18867251edfa0005", "involvedObject.uid") ==
        R"("new")");
}

TEST_CASE("event recorder: from the tenth message on, one event stands for many", "[controllers]") {
  RecorderFixture cluster;
  for (int i = 0; i < 12; ++i) {
    const std::string message = "it happened to " + std::to_string(i);
    cluster.record(kSubjects, "default", "a", {"loop", "Warning", "Happened", message});
  }
  const auto member = [&](std::string_view path) {
    return cluster.stored(kRecorded, "default", "a.18867251edfa0009", path);
  };
  CHECK(member("message") == R"("(combined from similar events): it happened to 11")");
  CHECK(member("count") == "3");
  CHECK(member("source") == R"({"component":"loop"})");
  CHECK(member("reportingComponent") == R"("")");
  CHECK(cluster.stored(kRecorded, "default", "a.18867251edfa0008", "reportingComponent") ==
        R"("loop")");
}

TEST_CASE("event recorder: events of cluster-scoped objects are in `default`", "[controllers]") {
  RecorderFixture cluster;
  cluster.record({"", "v1", "nodes"}, "", "n", kHappened);
  CHECK(cluster.names(kRecorded, "default") == "n.18867251edfa0000");
  CHECK(cluster.stored(kRecorded, "default", "n.18867251edfa0000", "involvedObject") ==
        R"({"kind":"Node","name":"n","uid":"un","apiVersion":"v1","resourceVersion":"4"})");
}

TEST_CASE("event recorder: nothing is told about what does not exist", "[controllers]") {
  RecorderFixture cluster;
  cluster.record(kSubjects, "default", "none", kHappened);
  CHECK(cluster.names(kRecorded, "default") == "");
}

}  // namespace
}  // namespace tabernetes::controllers
