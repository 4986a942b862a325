#include "server/containers/container_reader.h"

#include <catch2/catch_test_macros.hpp>

#include "tabernetes/options.h"

using namespace tabernetes;

namespace {

std::string fault_in(std::string_view rules) {
  const auto done = check_containers(rules);
  return done ? std::string() : done.fault().message;
}

}  // namespace

TEST_CASE("rules of containers: what is accepted", "[server]") {
  const auto rules = server::read_containers(R"(
rules:
  - match: {namespace: default, labels: {app: web}, container: main}
    log: [started, {text: tick, after: 1s, every: 500ms}]
    commands:
      - {command: "psql *", out: rows, code: 3, after: 2s}
      - {command: [ls, "*"], err: gone}
    ports:
      - {port: 8080, path: /healthz, body: ok, headers: {X-A: b}}
      - {refuse: true}
  - log: {url: "https://host/log"}
    commands: [{command: asked, stdin: true, url: "http://host/exec"}]
    ports: [{port: 1, url: "http://host/port"}]
)");
  REQUIRE(rules);
  CHECK((*rules)->document().starts_with(
      R"([{"commands":[{"after":"2s","code":3,"command":"psql *")"));
  CHECK(fault_in("").empty());
  CHECK(fault_in("[]").empty());
}

TEST_CASE("rules of containers: what is no rule, and where", "[server]") {
  CHECK(fault_in("a: b") == "must be a list of rules");
  CHECK(fault_in("[{log: a}]") == "rules[0].log: must be a list");
  CHECK(
      fault_in("[{}, {match: {app: web}}]") ==
      "rules[1].match.app: unknown; there are namespace, labels, annotations, owner, name, image, "
      "container, node");
  CHECK(fault_in("[{log: [{text: a, every: 1us}]}]") ==
        "rules[0].log[0].every: must be at least 1ms");
  CHECK(fault_in("[{commands: [{out: a}]}]") ==
        "rules[0].commands[0].command: must be a text or a list of texts");
  CHECK(fault_in("[{commands: [{command: a, code: 256}]}]") ==
        "rules[0].commands[0].code: must be a number from 0 to 255");
  CHECK(fault_in("[{ports: [{port: 0}]}]") ==
        "rules[0].ports[0].port: must be a number from 1 to 65535");
  CHECK(fault_in("[{ports: [{headers: {\"a b\": c}}]}]") ==
        "rules[0].ports[0].headers.a b: is no header");
  CHECK(fault_in("[{log: {}}]") == "rules[0].log.url: must be given");
  CHECK(fault_in("[{commands: [{command: a, url: \"ftp://x\"}]}]") ==
        "rules[0].commands[0].url: must begin with http:// or https://");
  CHECK(fault_in("[{commands: [{command: a, url: \"http://x\", code: 1}]}]") ==
        "rules[0].commands[0].code: is for the url to answer");
  CHECK(fault_in("[{commands: [{command: a, stdin: true}]}]") ==
        "rules[0].commands[0].stdin: is for an url");
  CHECK(fault_in("[{ports: [{url: \"http://x\", refuse: true}]}]") ==
        "rules[0].ports[0].refuse: is for the url to answer");
}
