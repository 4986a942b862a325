#include "auth/authorizer.h"

#include <catch2/catch_test_macros.hpp>

#include "codec/json_writer.h"

namespace tabernetes::auth {
namespace {

TEST_CASE("authorizer: a refusal names user, verb, resource and place", "[auth]") {
  struct Case {
    std::string_view name, group, resource, subresource, ns, object, reason, message;
  };
  const Case cases[] = {
      {"anna", "", "pods", "", "default", "web", "",
       R"(pods "web" is forbidden: User "anna" cannot get resource "pods" in API group "" in the )"
       R"(namespace "default")"},
      {"anna", "apps", "deployments", "scale", "", "", "",
       R"(deployments.apps is forbidden: User "anna" cannot get resource "deployments/scale" in )"
       R"(API group "apps" at the cluster scope)"},
      {"<b>&", "", "nodes", "", "", "n", "RBAC: <why>",
       R"(nodes "n" is forbidden: User "&lt;b&gt;&amp;" cannot get resource "nodes" in API group )"
       R"("" at the cluster scope: RBAC: <why>)"},
      {"a\"b", "", "nodes", "", "", "", "",
       R"(nodes is forbidden: User "a\"b" cannot get resource "nodes" in API group "" at the )"
       R"(cluster scope)"},
  };
  for (const Case& c : cases) {
    const User user{.name = std::string(c.name), .uid = {}, .groups = {}, .extra = {}};
    Attributes wanted{.user = user, .verb = "get"};
    wanted.group = c.group;
    wanted.resource = c.resource;
    wanted.subresource = c.subresource;
    wanted.ns = c.ns;
    wanted.name = c.object;
    const Failure refused = forbidden(wanted, c.reason);
    CHECK(refused->code == 403);
    CHECK(refused->message == c.message);
  }
}

TEST_CASE("authorizer: a refusal of a path names the path", "[auth]") {
  const User user{.name = "anna", .uid = {}, .groups = {}, .extra = {}};
  Attributes wanted{.user = user, .verb = "post", .on_resource = false};
  wanted.path = "/met<rics";
  CHECK(forbidden(wanted, "")->message ==
        R"(forbidden: User "anna" cannot post path "/met&lt;rics")");
}

TEST_CASE("authorizer: AlwaysAllow allows, and lists everything", "[auth]") {
  const User user{.name = "anna", .uid = {}, .groups = {}, .extra = {}};
  CHECK(check_access(always_allow(), Attributes{.user = user, .verb = "delete"}));
  json::Arena arena;
  const Rules rules = always_allow().rules_for(user, "default", arena);
  CHECK(codec::json_text(rules.resources) ==
        R"([{"verbs":["*"],"apiGroups":["*"],"resources":["*"]}])");
  CHECK(codec::json_text(rules.paths) == R"([{"verbs":["*"],"nonResourceURLs":["*"]}])");
  CHECK_FALSE(rules.incomplete);
}

// Has the same answer to every question.
class Stubborn final : public Authorizer {
 public:
  std::string_view name() const override { return "Stubborn"; }
  explicit Stubborn(Decision decision) : decision_(std::move(decision)) {}
  Decision authorize(const Attributes&) const override { return decision_; }
  Rules rules_for(const User&, std::string_view, json::Arena&) const override { return {}; }

 private:
  Decision decision_;
};

TEST_CASE("authorizer: only an explicit permission lets a request through", "[auth]") {
  const User user{.name = "anna", .uid = {}, .groups = {}, .extra = {}};
  Attributes wanted{.user = user, .verb = "get"};
  wanted.resource = "pods";
  CHECK(check_access(Stubborn({Verdict::kAllow, {}, {}}), wanted));
  for (const Verdict verdict : {Verdict::kDeny, Verdict::kNoOpinion}) {
    const auto checked = check_access(Stubborn({verdict, "so it is", {}}), wanted);
    REQUIRE_FALSE(checked);
    CHECK(checked.error().message ==
          R"(pods is forbidden: User "anna" cannot get resource "pods" in API group "" at the )"
          R"(cluster scope: so it is)");
  }
}

}  // namespace
}  // namespace tabernetes::auth
