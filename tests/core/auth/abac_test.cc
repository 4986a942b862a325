#include "auth/abac.h"

#include <catch2/catch_test_macros.hpp>

#include "codec/json_writer.h"
#include "tabernetes/options.h"

namespace tabernetes::auth {
namespace {

User somebody(std::string name, std::vector<std::string> groups = {"system:authenticated"}) {
  return {.name = std::move(name), .uid = {}, .groups = std::move(groups), .extra = {}};
}

// `spec` is the inside of a policy's spec.
AbacPolicies policy(std::string_view spec) {
  return AbacPolicies(R"({"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy",)"
                      R"("spec":{)" +
                      std::string(spec) + "}}\n");
}

bool allows(const AbacPolicies& policies, const User& user, std::string_view verb,
            std::string_view group, std::string_view resource, std::string_view ns) {
  REQUIRE(policies.fault() == "");
  Attributes wanted{.user = user, .verb = verb};
  wanted.group = group;
  wanted.resource = resource;
  wanted.ns = ns;
  const Decision decision = policies.authorize(wanted);
  CHECK(decision.reason == (decision.verdict == Verdict::kAllow ? "" : "No policy matched."));
  CHECK(decision.verdict != Verdict::kDeny);
  return decision.verdict == Verdict::kAllow;
}

bool allows_path(const AbacPolicies& policies, std::string_view path,
                 std::string_view verb = "get") {
  const User user = somebody("anna");
  Attributes wanted{.user = user, .verb = verb, .on_resource = false};
  wanted.path = path;
  return policies.authorize(wanted).verdict == Verdict::kAllow;
}

TEST_CASE("ABAC: whom a policy concerns", "[auth]") {
  constexpr std::string_view kAll = R"(,"namespace":"*","resource":"*","apiGroup":"*")";
  struct Case {
    std::string_view subject;
    bool anna, staff, nobody;  // a user, a member of a group, somebody who is not authenticated
  };
  const Case cases[] = {
      {R"("user":"anna")", true, false, false},
      {R"("group":"staff")", false, true, false},
      {R"("user":"anna","group":"staff")", false, false, false},
      {R"("user":"*")", true, true, false},
      {R"("group":"*")", true, true, false},
      {R"("user":"*","group":"staff")", true, true, false},
      {R"("user":"")", false, false, false},
  };
  const User anna = somebody("anna");
  const User member = somebody("paul", {"staff", "system:authenticated"});
  const User nobody = somebody("system:anonymous", {"system:unauthenticated"});
  for (const Case& c : cases) {
    INFO(c.subject);
    const AbacPolicies policies = policy(std::string(c.subject) + std::string(kAll));
    CHECK(allows(policies, anna, "create", "", "pods", "default") == c.anna);
    CHECK(allows(policies, member, "create", "", "pods", "default") == c.staff);
    CHECK(allows(policies, nobody, "create", "", "pods", "default") == c.nobody);
  }
}

TEST_CASE("ABAC: what a policy covers", "[auth]") {
  const User anna = somebody("anna");
  const AbacPolicies pods =
      policy(R"("user":"anna","namespace":"shop","resource":"pods","readonly":true)");
  CHECK(allows(pods, anna, "get", "", "pods", "shop"));
  CHECK(allows(pods, anna, "watch", "", "pods", "shop"));
  CHECK_FALSE(allows(pods, anna, "create", "", "pods", "shop"));
  CHECK_FALSE(allows(pods, anna, "get", "", "pods", ""));
  CHECK_FALSE(allows(pods, anna, "get", "metrics.k8s.io", "pods", "shop"));
  CHECK_FALSE(allows(pods, anna, "get", "", "services", "shop"));
  CHECK_FALSE(allows_path(pods, "/healthz"));
  const AbacPolicies anywhere =
      policy(R"("user":"anna","namespace":"*","resource":"*","apiGroup":"apps")");
  CHECK(allows(anywhere, anna, "delete", "apps", "deployments", ""));
  CHECK_FALSE(allows(anywhere, anna, "delete", "", "pods", "shop"));
}

TEST_CASE("ABAC: paths", "[auth]") {
  const AbacPolicies all = policy(R"("user":"*","nonResourcePath":"*")");
  CHECK(allows_path(all, "/version"));
  CHECK(allows_path(all, "/version", "post"));
  const AbacPolicies below = policy(R"("user":"*","readonly":true,"nonResourcePath":"/api/*")");
  CHECK(allows_path(below, "/api/v1"));
  CHECK(allows_path(below, "/api/"));
  CHECK_FALSE(allows_path(below, "/api"));
  CHECK_FALSE(allows_path(below, "/api/v1", "post"));
  const AbacPolicies one = policy(R"("user":"*","nonResourcePath":"/version")");
  CHECK(allows_path(one, "/version"));
  CHECK_FALSE(allows_path(one, "/version/"));
}

TEST_CASE("ABAC: lines of the older form", "[auth]") {
  const User anna = somebody("anna");
  const AbacPolicies policies("# who may what\n\n{\"user\":\"anna\",\"readonly\":true}\n");
  CHECK(allows(policies, anna, "list", "apps", "deployments", "default"));
  CHECK_FALSE(allows(policies, anna, "create", "apps", "deployments", "default"));
  CHECK(allows_path(policies, "/metrics"));
  const AbacPolicies pods(
      R"({"apiVersion":"abac.authorization.kubernetes.io/v0","kind":"Policy","resource":"pods"})");
  CHECK(allows(pods, anna, "create", "", "pods", "default"));
  CHECK_FALSE(allows(pods, anna, "create", "", "services", "default"));
  CHECK_FALSE(allows_path(pods, "/metrics"));
}

TEST_CASE("ABAC: what cannot be read", "[auth]") {
  const auto fault = [](std::string_view text) {
    const auto checked = check_authorization_policy(text);
    return checked ? std::string() : checked.fault().message;
  };
  CHECK(fault("") == "");
  CHECK(fault("#\n{\"user\":\"a\"\n") == "line 2: unexpected end of JSON input");
  CHECK(fault("[]") == "line 1: a policy must be an object");
  CHECK(fault(R"({"user":1})") == "line 1: user must be a string");
  CHECK(fault(R"({"readonly":"yes"})") == "line 1: readonly must be true or false");
  CHECK(fault(R"({"apiVersion":"v1","kind":"Pod"})") ==
        "line 1: no kind \"Pod\" is registered for version \"v1\"");
  CHECK(fault(R"({"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy",)"
              R"("spec":[]})") == "line 1: spec must be an object");
}

TEST_CASE("ABAC: rules of a user in a namespace", "[auth]") {
  constexpr std::string_view kLine =
      R"({"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":)";
  const AbacPolicies policies(
      std::string(kLine) + R"({"user":"anna","namespace":"*","resource":"pods","readonly":true}})" +
      "\n" + std::string(kLine) +
      R"({"user":"*","namespace":"shop","resource":"*","apiGroup":"*","nonResourcePath":"/a*"}})" +
      "\n" + std::string(kLine) + R"({"user":"*","nonResourcePath":"/b"}})");
  json::Arena arena;
  const Rules rules = policies.rules_for(somebody("anna"), "shop", arena);
  CHECK(codec::json_text(rules.resources) ==
        R"([{"verbs":["get","list","watch"],"apiGroups":[""],"resources":["pods"]},)"
        R"({"verbs":["*"],"apiGroups":["*"],"resources":["*"]}])");
  CHECK(codec::json_text(rules.paths) == R"([{"verbs":["*"],"nonResourceURLs":["/a*"]}])");
  CHECK_FALSE(rules.incomplete);
  CHECK(policies.rules_for(somebody("paul"), "other", arena).resources.items().empty());
}

}  // namespace
}  // namespace tabernetes::auth
