// Requests for a version not reached yet, over a whole server.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "../requests.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kAwaited = "/api/v1/namespaces/default/configmaps";
constexpr std::string_view kEvents = "/api/v1/namespaces/default/events";

std::string with(std::string_view path, std::string_view query) {
  return std::string(path) + "?" + std::string(query);
}

// Returns the version of a future write.
std::string next_version(ApiServer& server, int steps = 1) {
  return std::to_string(std::stoull(version_of(server)) + static_cast<unsigned>(steps));
}

std::string timeout(const std::string& wanted, const std::string& current,
                    std::string_view retry = R"(,"retryAfterSeconds":1)") {
  return R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",)"
         R"("message":"Timeout: Too large resource version: )" +
         wanted + ", current: " + current +
         R"(","reason":"Timeout","details":{"causes":[{"reason":"ResourceVersionTooLarge",)"
         R"("message":"Too large resource version"}])" +
         std::string(retry) + "},\"code\":504}\n";
}

std::string_view find_value(const Headers& headers, std::string_view name) {
  for (const auto& [key, value] : headers) {
    if (key == name) return value;
  }
  return {};
}

bool has_header(const Response& response, std::string_view name) {
  for (const auto& [key, value] : response.headers) {
    if (key == name) return true;
  }
  return false;
}

TEST_CASE("waiting answers: end with the caller's patience if that is the shorter one",
          "[server]") {
  ApiServer server;
  const std::string next = next_version(server);
  const auto ask_for = [&](std::string_view timeout) {
    return begin(server, "GET",
                 with(kAwaited, "resourceVersion=" + next + "&timeout=" + std::string(timeout)));
  };
  const Pending hurried = ask_for("1s");
  const Pending patient = ask_for("1h");
  const Pending unset = ask_for("0");
  server.advance(server.time() + Duration::from_milliseconds(999));
  CHECK_FALSE(*hurried);
  server.advance(server.time() + Duration::from_milliseconds(1));
  REQUIRE(*hurried);
  CHECK(text_of(**hurried) ==
        R"(504 {"metadata":{},"status":"Failure","message":"Timeout: request did not complete )"
        R"(within the allotted timeout","reason":"Timeout","details":{},"code":504})"
        "\n");
  CHECK(find_value((*hurried)->headers, "Content-Type") == "text/plain; charset=utf-8");
  CHECK_FALSE(*patient);
  server.advance(server.time() + Duration::from_seconds(2));
  for (const Pending& pending : {patient, unset}) {
    REQUIRE(*pending);
    CHECK((*pending)->body.flatten().find("Too large resource version") != std::string::npos);
  }
}

TEST_CASE("waiting answers: come as soon as a write reaches the version", "[server]") {
  ApiServer server;
  REQUIRE(create_config_map(server, "a") == 201);
  const std::string next = next_version(server);
  const Pending got =
      begin(server, "GET", with(std::string(kAwaited) + "/a", "resourceVersion=" + next));
  const Pending listed = begin(server, "GET", with(kAwaited, "resourceVersion=" + next));
  const Pending paged = begin(server, "GET", with(kAwaited, "limit=1&resourceVersion=" + next));
  const Pending exactly =
      begin(server, "GET", with(kAwaited, "resourceVersionMatch=Exact&resourceVersion=" + next));
  const Pending later =
      begin(server, "GET", with(kAwaited, "resourceVersion=" + next_version(server, 2)));
  for (const Pending& pending : {got, listed, paged, exactly, later}) CHECK_FALSE(*pending);
  CHECK(server.next_deadline() == server.time() + Duration::from_seconds(3));

  REQUIRE(create_config_map(server, "b") == 201);
  for (const Pending& pending : {got, listed, paged, exactly}) {
    REQUIRE(*pending);
    CHECK((*pending)->status == 200);
    CHECK(has_header(**pending, "Audit-Id"));
  }
  CHECK_FALSE(*later);
  const std::string state = R"("metadata":{"resourceVersion":")" + next + "\"";
  CHECK((*listed)->body.flatten().find(state) != std::string::npos);
  CHECK((*paged)->body.flatten().find(state) != std::string::npos);
  CHECK((*exactly)->body.flatten().find(R"("name":"b")") != std::string::npos);
}

TEST_CASE("waiting answers: a version that is not reached in time is a timeout", "[server]") {
  ApiServer server;
  const Pending pending = begin(server, "GET", with(kAwaited, "resourceVersion=900"));
  REQUIRE(create_config_map(server, "a") == 201);
  server.advance(server.time() + Duration::from_milliseconds(2999));
  CHECK_FALSE(*pending);
  server.advance(server.time() + Duration::from_milliseconds(1));
  REQUIRE(*pending);
  CHECK((*pending)->status == 504);
  CHECK((*pending)->body.flatten() == timeout("900", version_of(server)));
  CHECK(find_header((*pending)->headers, "Retry-After") == "1");
  CHECK_FALSE(server.next_deadline());
}

TEST_CASE("waiting answers: the wait is an option", "[server]") {
  Options options;
  options.freshness_wait = Duration::from_seconds(10);
  ApiServer server(options);
  const Pending pending = begin(server, "GET", with(kAwaited, "resourceVersion=900"));
  server.advance(server.time() + Duration::from_seconds(9));
  CHECK_FALSE(*pending);
  server.advance(server.time() + Duration::from_seconds(1));
  CHECK(*pending);
}

TEST_CASE("waiting answers: nothing waits for kinds without a watch cache", "[server]") {
  ApiServer server;
  const std::string current = version_of(server);
  for (const std::string& target :
       {with(kEvents, "resourceVersion=900"),
        with(std::string(kEvents) + "/e", "resourceVersion=900"),
        with(kEvents, "resourceVersion=900&resourceVersionMatch=Exact&limit=2")}) {
    const Response answer = ask(server, "GET", target);
    CHECK(answer.status == 504);
    CHECK(answer.body.flatten() == timeout("900", current, ""));
    CHECK_FALSE(has_header(answer, "Retry-After"));
  }
}

TEST_CASE("waiting answers: loading a manifest and restoring a state reach versions too",
          "[server]") {
  ApiServer server;
  const Pending loaded =
      begin(server, "GET", with(kAwaited, "resourceVersion=" + next_version(server)));
  REQUIRE(server.load(R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m"}})").empty());
  CHECK(*loaded);
  const std::string saved = server.snapshot();
  const Pending restored =
      begin(server, "GET", with(kAwaited, "resourceVersion=" + next_version(server)));
  REQUIRE(server.restore(saved));
  CHECK(*restored);
}

TEST_CASE("waiting answers: a collection is deleted once its version is reached", "[server]") {
  ApiServer server;
  REQUIRE(create_config_map(server, "a") == 201);
  const Pending pending =
      begin(server, "DELETE", with(kAwaited, "resourceVersion=" + next_version(server)), "{}");
  CHECK_FALSE(*pending);
  CHECK(ask(server, "GET", std::string(kAwaited) + "/a").status == 200);
  REQUIRE(create_config_map(server, "b") == 201);
  REQUIRE(*pending);
  CHECK((*pending)->status == 200);
  CHECK(ask(server, "GET", std::string(kAwaited) + "/b").status == 404);
}

TEST_CASE("waiting answers: a server that ends drops them, a fork begins without", "[server]") {
  Pending pending;
  {
    ApiServer server;
    pending = begin(server, "GET", with(kAwaited, "resourceVersion=900"));
    const std::unique_ptr<ApiServer> fork = server.fork();
    CHECK_FALSE(fork->next_deadline());
    fork->advance(fork->time() + Duration::from_seconds(9));
    CHECK_FALSE(*pending);
  }
  CHECK_FALSE(*pending);
  CHECK(pending.use_count() == 1);  // the reply was released
}

}  // namespace
}  // namespace tabernetes::server
