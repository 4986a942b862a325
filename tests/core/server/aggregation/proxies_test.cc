#include "server/aggregation/proxies.h"

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <utility>

namespace tabernetes::server {
namespace {

struct Heard {
  int answers = 0;
  ProxyAnswer answer;
  std::unique_ptr<Stream> body;

  Proxies::OnAnswer listener() {
    return [this](ProxyAnswer given, std::unique_ptr<Stream> stream) {
      ++answers;
      answer = std::move(given);
      body = std::move(stream);
    };
  }
};

ProxyAnswer beginning(std::string bytes) {
  ProxyAnswer answer;
  answer.status = 200;
  answer.body = std::move(bytes);
  answer.more = true;
  return answer;
}

TEST_CASE("Proxied calls: without a host that makes them each fails at once") {
  Proxies proxies(false);
  Heard heard;
  proxies.send({}, heard.listener());
  REQUIRE(heard.answers == 1);
  REQUIRE(heard.answer.fault);
  CHECK(heard.answer.fault->message == "this host reaches no other servers");
  CHECK(proxies.take_calls().empty());
}

TEST_CASE("Proxied calls: each is taken once and answered once, by its id") {
  Proxies proxies(true);
  Heard one, two;
  proxies.send({.method = "GET", .url = "https://one"}, one.listener());
  proxies.send({.method = "PUT", .url = "https://two"}, two.listener());
  const auto calls = proxies.take_calls();
  REQUIRE(calls.size() == 2);
  CHECK(calls[0].url == "https://one");
  CHECK(calls[0].id != calls[1].id);
  CHECK(proxies.take_calls().empty());
  ProxyAnswer answer;
  answer.status = 404;
  proxies.answer(calls[1].id, answer);
  proxies.answer(calls[1].id, answer);
  proxies.answer(77, answer);
  CHECK(one.answers == 0);
  REQUIRE(two.answers == 1);
  CHECK(two.answer.status == 404);
  CHECK(two.body == nullptr);
}

TEST_CASE("Proxied calls: a body goes on until its end, and wakes its reader") {
  Proxies proxies(true);
  Heard heard;
  proxies.send({}, heard.listener());
  const std::uint64_t id = proxies.take_calls().front().id;
  proxies.answer(id, beginning("a"));
  REQUIRE(heard.body != nullptr);
  CHECK(heard.answer.body.empty());
  CHECK(heard.body->next().flatten() == "a");
  CHECK_FALSE(heard.body->ended());
  int woken = 0;
  heard.body->on_ready([&] { ++woken; });
  CHECK(woken == 0);
  proxies.go_on(id, "b", ProxiedBody::kMore);
  CHECK(woken == 1);
  proxies.go_on(id, "c", ProxiedBody::kMore);
  CHECK(woken == 1);
  CHECK(heard.body->next().flatten() == "bc");
  proxies.go_on(id, "d", ProxiedBody::kEnded);
  CHECK_FALSE(heard.body->ended());
  heard.body->on_ready([&] { ++woken; });
  CHECK(woken == 2);
  CHECK(heard.body->next().flatten() == "d");
  CHECK(heard.body->ended());
  CHECK_FALSE(heard.body->broken());
  heard.body.reset();
  CHECK(proxies.take_abandoned().empty());
}

TEST_CASE("Proxied calls: a body that nobody reads any more is given up") {
  Proxies proxies(true);
  Heard heard;
  proxies.send({}, heard.listener());
  const std::uint64_t id = proxies.take_calls().front().id;
  proxies.answer(id, beginning(""));
  heard.body.reset();
  CHECK(proxies.take_abandoned() == std::vector<std::uint64_t>{id});
  CHECK(proxies.take_abandoned().empty());
  proxies.go_on(id, "late", ProxiedBody::kMore);
}

TEST_CASE("Proxied calls: a reader that leaves too much unread loses the rest") {
  Proxies proxies(true);
  Heard heard;
  proxies.send({}, heard.listener());
  const std::uint64_t id = proxies.take_calls().front().id;
  proxies.answer(id, beginning(""));
  for (int i = 0; i < 66; ++i) {
    proxies.go_on(id, std::string(std::size_t{1} << 20, 'x'), ProxiedBody::kMore);
  }
  CHECK(heard.body->broken());
  CHECK(proxies.take_abandoned() == std::vector<std::uint64_t>{id});
}

TEST_CASE("Proxied calls: what the client sends on an upgraded connection goes to its server") {
  Proxies proxies(true);
  Heard heard;
  proxies.send({}, heard.listener());
  const std::uint64_t id = proxies.take_calls().front().id;
  proxies.answer(id, beginning(""));
  heard.body->receive("to ");
  heard.body->receive("them");
  const auto input = proxies.take_input();
  REQUIRE(input.size() == 2);
  CHECK(input[0].id == id);
  CHECK(input[0].bytes + input[1].bytes == "to them");
  CHECK(proxies.take_input().empty());
  proxies.go_on(id, {}, ProxiedBody::kEnded);
  heard.body->receive("too late");
  CHECK(proxies.take_input().empty());
}

}  // namespace
}  // namespace tabernetes::server
