#include "server/faults/faults.h"

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "../requests.h"
#include "../watching.h"
#include "server/faults/fault_reader.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kFaultyPods = "/api/v1/namespaces/default/pods";
constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";

Response set(ApiServer& server, std::string_view rules) {
  return ask(server, "PUT", "/-/tabernetes/faults", rules);
}

std::string fault_of(std::string_view rules) {
  const auto read = read_faults(rules);
  return read ? "" : read.fault().message;
}

Options still() {
  Options options;
  options.now = Time::from_unix_milliseconds(0);
  options.controllers = {};
  return options;
}

TEST_CASE("A rule of faults that is none is refused, with its place") {
  CHECK(fault_of("{}") == "must be a list of rules");
  CHECK(fault_of("[{when: now}]") ==
        "rules[0].when: unknown; there are match, nth, share, delay, connection, status, watch, "
        "body");
  CHECK(fault_of("[{}, {status: 200}]") == "rules[1].status: must be a code from 400 to 599");
  CHECK(fault_of("[{status: {code: 429, retryAfter: 1s}}]") ==
        "rules[0].status.retryAfter: must be a whole number");
  CHECK(fault_of("[{delay: soon}]") == "rules[0].delay: must be a duration such as 1.5s or 2m");
  CHECK(fault_of("[{delay: 2h}]") == "rules[0].delay: must be at most 1h");
  CHECK(fault_of("[{delay: {from: 2s, to: 1s}}]") ==
        "rules[0].delay: from must not be more than to");
  CHECK(fault_of("[{nth: 0}]") == "rules[0].nth: counts from 1, upwards");
  CHECK(fault_of("[{share: 1.5}]") == "rules[0].share: must be a number from 0 to 1");
  CHECK(fault_of("[{connection: slow}]") == "rules[0].connection: must be one of close, lose");
  CHECK(fault_of("[{watch: {then: gone, after: 1}}]") ==
        "rules[0].watch.after: unknown; there are events, then");
  CHECK(fault_of("[{body: {then: gone}}]") ==
        "rules[0].body.then: must be one of close, stall, garble");
  CHECK(
      fault_of("rules: [{match: {verb: [get, list], resource: pods/*}, nth: {from: 2}}]").empty());
}

TEST_CASE("Rules match as roles and webhooks do") {
  const auto fits = [](std::string_view match, FaultSubject subject) {
    const auto read = read_faults("[{match: " + std::string(match) + "}]");
    return (*read)->rules.front().match.fits(subject);
  };
  const FaultSubject pod{
      .verb = "get", .path = "/x", .resource = "pods", .ns = "a", .name = "web-1"};
  const FaultSubject log{.verb = "get", .resource = "pods", .subresource = "log"};
  const FaultSubject scale{.resource = "deployments", .group = "apps", .subresource = "scale"};
  CHECK(fits("{resource: pods}", pod));
  CHECK_FALSE(fits("{resource: pods}", log));
  CHECK(fits("{resource: pods/log}", log));
  CHECK(fits("{resource: 'pods/*'}", log));
  CHECK(fits("{resource: deployments/scale}", scale));
  CHECK(fits("{resource: deployments.apps/scale}", scale));
  CHECK_FALSE(fits("{resource: deployments.extensions/scale}", scale));
  CHECK(fits("{resource: '*/*'}", log));
  CHECK_FALSE(fits("{resource: '*'}", FaultSubject{.verb = "get", .path = "/readyz"}));
  CHECK(fits("{path: /readyz*}", FaultSubject{.verb = "get", .path = "/readyz/ping"}));
  CHECK(fits("{verb: [list, get], namespace: a, name: web-*}", pod));
  CHECK_FALSE(fits("{verb: list}", pod));
}

TEST_CASE("A status is answered instead of the request, as often as the rule says") {
  ApiServer server(still());
  CHECK(set(server,
            R"([{"match":{"verb":"create","resource":"configmaps"},"nth":{"from":2,"to":2},)"
            R"("status":{"code":429,"retryAfter":3}}])")
            .status == 200);
  CHECK(create_config_map(server, "a") == 201);
  const Response refused = ask(server, "POST", kMaps,
                               R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"b"}})");
  CHECK(text_of(refused) ==
        "429 {\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
        "\"message\":\"Too many requests, please try again later.\",\"reason\":\"TooManyRequests\","
        "\"details\":{\"retryAfterSeconds\":3},\"code\":429}\n");
  CHECK(std::find(refused.headers.begin(), refused.headers.end(),
                  std::pair<std::string, std::string>("Retry-After", "3")) !=
        refused.headers.end());
  CHECK(create_config_map(server, "b") == 201);
  CHECK(
      get(server, "/-/tabernetes/faults") ==
      R"(200 {"rules":[{"match":{"resource":"configmaps","verb":"create"},"nth":{"from":2,"to":2},)"
      R"("status":{"code":429,"retryAfter":3}}],"counts":[{"fitting":3,"hit":1}]})"
      "\n");
  CHECK(ask(server, "DELETE", "/-/tabernetes/faults").body.flatten() ==
        "{\"rules\":[],\"counts\":[]}\n");
}

TEST_CASE("A delayed request is done when its delay is over") {
  ApiServer server(still());
  set(server, R"([{"match":{"verb":"create"},"delay":"2s"}])");
  const Pending pending = begin(
      server, "POST", kMaps, R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"}})");
  CHECK(ask(server, "GET", std::string(kMaps) + "/a").status == 404);
  server.advance(Time::from_unix_milliseconds(1999));
  CHECK(*pending == nullptr);
  server.advance(Time::from_unix_milliseconds(2000));
  REQUIRE(*pending != nullptr);
  CHECK((*pending)->status == 201);
}

TEST_CASE("An answer is lost after the write, a closed connection writes nothing") {
  ApiServer server(still());
  set(server, R"([{"match":{"verb":"create"},"nth":1,"connection":"lose"},)"
              R"({"match":{"verb":"create"},"nth":1,"connection":"close"}])");
  const std::string_view kMap = R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"}})";
  CHECK(ask(server, "POST", kMaps, kMap).lost);
  CHECK(ask(server, "GET", std::string(kMaps) + "/a").status == 200);
  CHECK(ask(server, "DELETE", std::string(kMaps) + "/a").status == 200);
  CHECK(ask(server, "POST", kMaps, kMap).lost);
  CHECK(ask(server, "GET", std::string(kMaps) + "/a").status == 404);
}

TEST_CASE("A watch ends after some events as its rule says") {
  ApiServer server(still());
  const auto events_of = [&](std::string_view then, bool& ended, bool& broken) {
    set(server, R"([{"match":{"verb":"watch"},"watch":{"events":1,"then":")" + std::string(then) +
                    R"("}}])");
    TestWatch watch(server,
                    std::string(kFaultyPods).replace(kFaultyPods.rfind("pods"), 4, "configmaps") +
                        "?watch=true&resourceVersion=0");
    Rope all;
    for (int i = 0; i < 3; ++i) all.append(watch.response.stream->next());
    ended = watch.response.stream->ended();
    broken = watch.response.stream->broken();
    return all.flatten();
  };
  create_config_map(server, "a");
  create_config_map(server, "b");
  bool ended = false, broken = false;
  const std::string one = events_of("end", ended, broken);
  CHECK(std::count(one.begin(), one.end(), '\n') == 1);
  CHECK((ended && !broken));
  const std::string gone = events_of("gone", ended, broken);
  CHECK(gone == one +
                    "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"apiVersion\":\"v1\","
                    "\"metadata\":{},\"status\":\"Failure\",\"message\":\"The resourceVersion for "
                    "the provided watch is too old.\",\"reason\":\"Expired\",\"code\":410}}\n");
  CHECK((ended && !broken));
  CHECK(events_of("close", ended, broken) == one);
  CHECK((ended && broken));
  CHECK(events_of("stall", ended, broken) == one);
  CHECK_FALSE(ended);
}

TEST_CASE("A body breaks off, stalls or is garbled after some bytes") {
  ApiServer server(still());
  const std::string whole = get(server, "/version").substr(4);
  set(server, R"([{"nth":1,"body":{"bytes":10,"then":"close"}},)"
              R"({"nth":1,"body":{"bytes":10,"then":"stall"}},)"
              R"({"nth":1,"body":{"bytes":10,"then":"garble"}}])");
  Response closed = ask(server, "GET", "/version");
  CHECK(closed.stream->next().flatten() == whole.substr(0, 10));
  CHECK((closed.stream->ended() && closed.stream->broken()));
  Response stalled = ask(server, "GET", "/version");
  CHECK(stalled.stream->next().flatten() == whole.substr(0, 10));
  CHECK(stalled.stream->next().empty());
  CHECK_FALSE(stalled.stream->ended());
  Response garbled = ask(server, "GET", "/version");
  const std::string bytes = garbled.stream->next().flatten();
  CHECK(bytes.substr(0, 10) == whole.substr(0, 10));
  CHECK(bytes[10] == static_cast<char>(~whole[10]));
  CHECK(bytes.substr(26) == whole.substr(26));
  CHECK((garbled.stream->ended() && !garbled.stream->broken()));
}

TEST_CASE("A share of requests is hit, the same one with the same seed; a fork goes on alike") {
  ApiServer server(still());
  set(server, R"([{"match":{"path":"/version"},"share":0.3,"status":503}])");
  const auto answers = [](ApiServer& asked) {
    std::string all;
    for (int i = 0; i < 200; ++i) all += ask(asked, "GET", "/version").status == 503 ? 'x' : '.';
    return all;
  };
  const auto fork = server.fork();
  const std::string mine = answers(server);
  CHECK(mine == answers(*fork));
  const auto hit = std::count(mine.begin(), mine.end(), 'x');
  CHECK((hit > 40 && hit < 80));
}

TEST_CASE("Rules match the user, also one who is impersonated") {
  Options options = still();
  options.token_file = "secret,jane,1\n";
  ApiServer server(std::move(options));
  set(server, R"([{"match":{"user":"jane"},"status":500}])");
  const auto status_with = [&](Headers headers) {
    Request request = request_of("GET", "/version");
    request.headers = std::move(headers);
    int status = 0;
    server.handle(std::move(request), [&](Response response) { status = response.status; });
    return status;
  };
  CHECK(status_with({}) == 200);
  CHECK(status_with({{"authorization", "Bearer secret"}}) == 500);
  CHECK(status_with({{"impersonate-user", "jane"}}) == 500);
}

}  // namespace
}  // namespace tabernetes::server
