#include "auth/rbac_rule.h"

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "codec/json_reader.h"

namespace tabernetes::auth {
namespace {

json::Value parse(std::string_view text, json::Arena& arena) {
  const codec::JsonRead read = codec::read_json(text, arena);
  REQUIRE(read.ok());
  return read.value;
}

constexpr Action on(std::string_view verb, std::string_view group, std::string_view resource,
                    std::string_view name = {}) {
  return {verb, true, group, resource, name, {}};
}
constexpr Action at(std::string_view verb, std::string_view path) {
  return {verb, false, {}, {}, {}, path};
}

TEST_CASE("rbac: what a rule covers", "[auth]") {
  struct Case {
    std::string_view rule;
    Action action;
    bool covered;
  };
  static constexpr std::string_view kPods =
      R"({"verbs":["get","list"],"apiGroups":[""],"resources":["pods"]})";
  static constexpr std::string_view kNamed =
      R"({"verbs":["*"],"apiGroups":["*"],"resources":["pods"],"resourceNames":["a","b"]})";
  static constexpr std::string_view kAll = R"({"verbs":["*"],"apiGroups":["*"],"resources":["*"]})";
  static constexpr std::string_view kScales =
      R"({"verbs":["get"],"apiGroups":["apps"],"resources":["*/scale","pods/*"]})";
  static constexpr std::string_view kPaths =
      R"({"verbs":["get"],"nonResourceURLs":["/healthz","/api/*"]})";
  static constexpr Case kCases[] = {
      {kPods, on("get", "", "pods"), true},
      {kPods, on("get", "", "pods", "x"), true},
      {kPods, on("watch", "", "pods"), false},
      {kPods, on("get", "apps", "pods"), false},
      {kPods, on("get", "", "pods/log"), false},
      {kPods, on("*", "", "pods"), false},
      {kPods, at("get", "/healthz"), false},
      {kNamed, on("delete", "x", "pods", "b"), true},
      {kNamed, on("delete", "x", "pods", "c"), false},
      {kNamed, on("list", "x", "pods"), false},
      {kAll, on("*", "*", "*"), true},
      {kAll, on("get", "", "pods/log", "x"), true},
      {kAll, at("get", "/"), false},
      {kScales, on("get", "apps", "deployments/scale"), true},
      {kScales, on("get", "apps", "deployments"), false},
      {kScales, on("get", "apps", "pods/log"), false},
      {kPaths, at("get", "/healthz"), true},
      {kPaths, at("get", "/healthz/ping"), false},
      {kPaths, at("get", "/api/v1"), true},
      {kPaths, at("get", "/api"), false},
      {kPaths, at("get", "/api/*"), true},
      {kPaths, at("post", "/healthz"), false},
  };
  for (const Case& c : kCases) {
    INFO(c.rule << " " << c.action.verb << " " << c.action.group << " " << c.action.resource
                << c.action.path << " " << c.action.name);
    json::Arena arena;
    CHECK(covers(parse(c.rule, arena), c.action) == c.covered);
  }
}

TEST_CASE("rbac: missing rights are told by resource, paths by verb", "[auth]") {
  json::Arena arena;
  const json::Value held = parse(R"([{"verbs":["get"],"apiGroups":[""],"resources":["pods"]},)"
                                 R"({"verbs":["get"],"nonResourceURLs":["/a"]}])",
                                 arena);
  const json::Value wanted = parse(
      R"([{"verbs":["get","list"],"apiGroups":["","apps"],"resources":["pods"]},)"
      R"({"verbs":["watch","list"],"apiGroups":[""],"resources":["pods"]},)"
      R"({"verbs":["get"],"apiGroups":[""],"resources":["pods"],"resourceNames":["x"]},)"
      R"({"verbs":["update"],"apiGroups":[""],"resources":["pods"],"resourceNames":["y","x"]},)"
      R"({"verbs":["get","post"],"nonResourceURLs":["/a","/b"]}])",
      arena);
  const auto pointers = [](const json::Value& rules) {
    std::vector<const json::Value*> list;
    for (const json::Value& rule : rules.items()) list.push_back(&rule);
    return list;
  };
  CHECK(missing_rights(pointers(held), pointers(wanted)) ==
        std::vector<std::string>{
            R"({APIGroups:[""], Resources:["pods"], ResourceNames:["x"], Verbs:["update"]})",
            R"({APIGroups:[""], Resources:["pods"], ResourceNames:["y"], Verbs:["update"]})",
            R"({APIGroups:[""], Resources:["pods"], Verbs:["list" "watch"]})",
            R"({APIGroups:["apps"], Resources:["pods"], Verbs:["get" "list"]})",
            R"({NonResourceURLs:["/a"], Verbs:["post"]})",
            R"({NonResourceURLs:["/b"], Verbs:["get"]})",
            R"({NonResourceURLs:["/b"], Verbs:["post"]})",
        });
  CHECK(missing_rights(pointers(wanted), pointers(held)).empty());
}

TEST_CASE("rbac: the fields because of which a rule does not cover an action", "[auth]") {
  using Fields = std::vector<std::string_view>;
  json::Arena arena;
  const json::Value named = parse(
      R"({"verbs":["get"],"apiGroups":["apps"],"resources":["deployments"],"resourceNames":["a"]})",
      arena);
  CHECK(fields_that_differ(named, on("get", "apps", "deployments", "a")).empty());
  CHECK(fields_that_differ(named, on("get", "apps", "deployments", "b")) ==
        Fields{"resourceNames"});
  CHECK(fields_that_differ(named, on("list", "", "pods")) ==
        Fields{"verbs", "apiGroups", "resources", "resourceNames"});
  CHECK(fields_that_differ(named, at("get", "/x")) == Fields{"nonResourceURLs"});
  const json::Value paths = parse(R"({"verbs":["get"],"nonResourceURLs":["/api/*"]})", arena);
  CHECK(fields_that_differ(paths, at("get", "/api/v1")).empty());
  CHECK(fields_that_differ(paths, at("put", "/healthz")) == Fields{"verbs", "nonResourceURLs"});
  CHECK(fields_that_differ(paths, on("get", "", "pods")) == Fields{"apiGroups", "resources"});
}

}  // namespace
}  // namespace tabernetes::auth
