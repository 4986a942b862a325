#include "tabernetes/audit.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "../requests.h"

namespace tabernetes::server {
namespace {

std::string policy_with(const std::string& rules) {
  return "{\"apiVersion\": \"audit.k8s.io/v1\", \"kind\": \"Policy\", \"rules\": " + rules + "}";
}

std::string fault_of(const std::string& policy) {
  const auto checked = check_audit_policy(policy);
  return checked ? "good: " + *checked : checked.fault().message;
}

// Returns the part of an event from `first` up to `last`.
std::string part(const std::string& event, const std::string& first, const std::string& last) {
  const std::size_t from = event.find(first);
  return from == std::string::npos ? "none" : event.substr(from, event.find(last, from) - from);
}

TEST_CASE("audit: a policy is judged whatever it is", "[server]") {
  CHECK(fault_of(policy_with("[{\"level\": \"None\"}]")) == "good: ");
  CHECK(fault_of("[]").starts_with("failed decoding: couldn't get version/kind; json parse error"));
  CHECK(fault_of("\x01").starts_with("failed decoding: yaml: "));
  CHECK(fault_of(policy_with("3")) ==
        "failed decoding: json: cannot unmarshal number into Go struct field Policy.rules of type "
        "[]v1.PolicyRule");
  CHECK(fault_of(policy_with("[3]")) ==
        "failed decoding: json: cannot unmarshal number into Go struct field Policy.rules of type "
        "v1.PolicyRule");
  CHECK(fault_of(policy_with("[null]")) == "rules[0].level: Required value");
  CHECK(fault_of(policy_with("[{\"level\": \"None\", \"users\": [1]}]")) ==
        "failed decoding: json: cannot unmarshal number into Go struct field "
        "PolicyRule.rules.users of type string");
  CHECK(fault_of(policy_with("[{\"level\": \"None\", \"resources\": [\"pods\"]}]")) ==
        "failed decoding: json: cannot unmarshal string into Go struct field "
        "PolicyRule.rules.resources of type v1.GroupResources");
}

TEST_CASE("audit: events of a request, of a watch and of its end", "[server]") {
  ApiServer server;
  std::vector<std::string> events;
  REQUIRE(server.set_audit_log(
      {.policy = policy_with("[{\"level\": \"None\", \"verbs\": [\"list\"]}, {\"level\": "
                             "\"Metadata\", \"omitStages\": [\"RequestReceived\"]}]"),
       .sink = [&](std::string_view event) { events.emplace_back(event); }}));

  CHECK(create_config_map(server, "a") == 201);
  REQUIRE(events.size() == 1);
  CHECK(part(events[0], "\"stage\"", ",\"user\"") ==
        R"("stage":"ResponseComplete","requestURI":"/api/v1/namespaces/default/configmaps",)"
        R"("verb":"create")");
  CHECK(part(events[0], "\"objectRef\"", ",\"requestReceived") ==
        R"("objectRef":{"resource":"configmaps","namespace":"default","name":"a",)"
        R"("apiVersion":"v1"},"responseStatus":{"metadata":{},"code":201})");
  CHECK(
      part(events[0], "\"annotations\"", "}}") ==
      R"("annotations":{"authorization.k8s.io/decision":"allow","authorization.k8s.io/reason":"")");

  ask(server, "GET", "/api/v1/configmaps");
  CHECK(events.size() == 1);
  {
    const Response watch = ask(server, "GET", "/api/v1/configmaps?watch=1");
    REQUIRE(events.size() == 2);
    CHECK(part(events[1], "\"stage\"", ",\"requestURI") == R"("stage":"ResponseStarted")");
  }
  REQUIRE(events.size() == 3);
  CHECK(part(events[2], "\"stage\"", ",\"requestURI") == R"("stage":"ResponseComplete")");

  // Views log, too, and forks do not.
  REQUIRE(server.view()->answer(request_of("GET", "/version"), server.time()));
  CHECK(events.size() == 4);
  CHECK(create_config_map(*server.fork(), "b") == 201);
  CHECK(events.size() == 4);

  CHECK(server.set_audit_log({.policy = "", .sink = {}}));
  CHECK(create_config_map(server, "c") == 201);
  CHECK(events.size() == 4);
}

}  // namespace
}  // namespace tabernetes::server
