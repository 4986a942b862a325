#include "server/discovery/health.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "../../recordings.h"
#include "kinds/table/built_in_kind.h"
#include "registry/kind/resource_type.h"
#include "server/discovery/index.h"
#include "server/http/version.h"

namespace tabernetes::server {
namespace {

std::string_view text_body(const json::Value& step) {
  return tests::body_of(step)->string_at("text");
}

// Parses the query of the recorded requests: verbose, exclude=NAME.
HealthQuery read_query(std::string_view query) {
  HealthQuery result;
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view part = query.substr(0, end);
    if (part == "verbose") result.verbose = true;
    if (part.starts_with("exclude=")) result.exclude.emplace_back(part.substr(8));
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  return result;
}

TEST_CASE("health: answers are those of a real server", "[server]") {
  const tests::Recordings recordings("discovery");
  const auto steps = recordings.steps("health");
  REQUIRE(steps.size() > 10);
  for (const json::Value& step : steps) {
    std::string_view path = tests::path_of(step);
    INFO(path);
    const std::size_t question = std::min(path.find('?'), path.size());
    const HealthQuery query = read_query(path.substr(std::min(question + 1, path.size())));
    path = path.substr(0, question);
    const auto answer = answer_health(path, query);
    if (step.at({"response", "status"})->as_int() == 404) {
      CHECK(!answer);
      continue;
    }
    REQUIRE(answer);
    CHECK(answer->status == 200);
    CHECK(answer->body == text_body(step));
    CHECK(answer->content_type == "text/plain; charset=utf-8");
  }
}

TEST_CASE("health: names that cannot be excluded are told, sorted", "[server]") {
  const auto answer =
      answer_health("/readyz", {.verbose = true, .exclude = {"nope", "etcd", "log"}});
  REQUIRE(answer);
  CHECK(answer->body.find("[+]log excluded: ok\n") != std::string::npos);
  CHECK(answer->body.ends_with(
      "[+]shutdown ok\n"
      "warn: some health checks cannot be excluded: no matches for \"etcd\",\"nope\"\n"
      "readyz check passed\n"));
}

TEST_CASE("health: unknown paths have no answer", "[server]") {
  for (const char* path : {"/healthz/", "/healthzz", "/livez/shutdown", "/readyz/etcd", "/", ""}) {
    INFO(path);
    CHECK(!answer_health(path, {}));
  }
}

TEST_CASE("index: lists the paths of a real server in pretty JSON", "[server]") {
  const tests::Recordings recordings("discovery");
  const auto steps = recordings.steps("root");
  REQUIRE(steps.size() == 1);
  const TextResponse answer = answer_index(registry::built_in_resources()->groups());
  CHECK(answer.content_type == "application/json");
  std::string expected;
  codec::write_json_pretty(*tests::body_of(steps[0]), expected);
  CHECK(answer.body == expected);
}

TEST_CASE("version: has the members of a real server in their order", "[server]") {
  const tests::Recordings recordings("discovery");
  const auto steps = recordings.steps("version");
  REQUIRE(!steps.empty());
  json::Arena arena;
  const TextResponse answer = answer_version();
  const auto read = codec::read_json(answer.body, arena);
  REQUIRE(read.ok());
  const auto expected = tests::body_of(steps[0])->members();
  const auto members = read.value.members();
  REQUIRE(members.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(members[i].key == expected[i].key);
  for (const char* name : {"major", "minor", "emulationMinor", "minCompatibilityMinor"}) {
    CHECK(read.value.string_at(name) == tests::body_of(steps[0])->string_at(name));
  }
  CHECK(read.value.string_at("gitVersion") == "v1.36.2");
  std::string pretty;
  codec::write_json_pretty(read.value, pretty);
  CHECK(answer.body == pretty);
}

}  // namespace
}  // namespace tabernetes::server
