#include "auth/authorizer_chain.h"

#include <catch2/catch_test_macros.hpp>

#include "codec/json_writer.h"
#include "tabernetes/options.h"

namespace tabernetes::auth {
namespace {

class Fixed final : public Authorizer {
 public:
  std::string_view name() const override { return "Fixed"; }
  Fixed(Verdict verdict, std::string reason, std::string error = {})
      : decision_{verdict, std::move(reason), std::move(error)} {}
  Decision authorize(const Attributes&) const override { return decision_; }
  Rules rules_for(const User&, std::string_view, json::Arena& arena) const override {
    Rules rules{.resources = json::Value::array(arena),
                .paths = json::Value::array(arena),
                .error = decision_.error};
    rules.resources.push_back(arena, json::Value::string(decision_.reason));
    rules.incomplete = !decision_.error.empty();
    return rules;
  }

 private:
  Decision decision_;
};

using Parts = std::vector<Fixed>;

Decision decide(const Parts& parts, std::vector<std::string> groups = {}) {
  AuthorizerChain::Parts chained;
  for (const Fixed& part : parts) chained.push_back(std::make_shared<Fixed>(part));
  const User user{.name = "anna", .uid = {}, .groups = std::move(groups), .extra = {}};
  return AuthorizerChain(chained).authorize({.user = user, .verb = "get"});
}

TEST_CASE("authorizers in turn: the first opinion counts, and its reason alone", "[auth]") {
  const Fixed quiet(Verdict::kNoOpinion, "");
  const Fixed unsure(Verdict::kNoOpinion, "unsure", "broken");
  const Fixed allows(Verdict::kAllow, "because");
  const Fixed denies(Verdict::kDeny, "never");
  CHECK(decide({unsure, allows, denies}).verdict == Verdict::kAllow);
  CHECK(decide({unsure, allows, denies}).reason == "because");
  CHECK(decide({unsure, allows, denies}).error == "");
  CHECK(decide({quiet, denies, allows}).verdict == Verdict::kDeny);
  CHECK(decide({quiet, denies, allows}).reason == "never");
  CHECK(decide({denies}, {"system:masters"}).verdict == Verdict::kAllow);
}

TEST_CASE("authorizers in turn: without an opinion all reasons and errors", "[auth]") {
  const Decision none =
      decide({Fixed(Verdict::kNoOpinion, "one", "x"), Fixed(Verdict::kNoOpinion, ""),
              Fixed(Verdict::kNoOpinion, "two", "[y, z]")});
  CHECK(none.verdict == Verdict::kNoOpinion);
  CHECK(none.reason == "one\ntwo");
  CHECK(none.error == "[x, y, z]");
  CHECK(decide({Fixed(Verdict::kNoOpinion, "", "x"), Fixed(Verdict::kNoOpinion, "", "x")}).error ==
        "x");
}

TEST_CASE("authorizers in turn: rules of all", "[auth]") {
  const AuthorizerChain chain({std::make_shared<Fixed>(Verdict::kAllow, "a"),
                               std::make_shared<Fixed>(Verdict::kAllow, "b", "broken")});
  json::Arena arena;
  const User user{.name = "anna", .uid = {}, .groups = {}, .extra = {}};
  const Rules rules = chain.rules_for(user, "default", arena);
  CHECK(codec::json_text(rules.resources) == R"(["a","b"])");
  CHECK(rules.incomplete);
  CHECK(rules.error == "broken");
}

TEST_CASE("authorization modes", "[auth]") {
  const auto modes = parse_authorization_modes("Node, RBAC,ABAC");
  REQUIRE(modes);
  CHECK(*modes == std::vector{Authorization::kNode, Authorization::kRbac, Authorization::kAbac});
  CHECK(authorization_modes_text(*modes) == "Node,RBAC,ABAC");
  const auto fault = [](std::string_view text) {
    return parse_authorization_modes(text).fault().message;
  };
  CHECK(fault("") == "at least one mode is needed");
  CHECK(fault("RBAC,Node,RBAC") == "\"RBAC\" is specified more than once");
  CHECK(fault("rbac") ==
        "\"rbac\" is not a valid mode; AlwaysAllow, AlwaysDeny, ABAC, Webhook, Node and RBAC are");
  CHECK(parse_authorization_modes("Node,Webhook"));
}

TEST_CASE("mode AlwaysDeny", "[auth]") {
  const User user{.name = "anna", .uid = {}, .groups = {}, .extra = {}};
  const Decision decision = always_deny().authorize({.user = user, .verb = "get"});
  CHECK(decision.verdict == Verdict::kNoOpinion);
  CHECK(decision.reason == "Everything is forbidden.");
  json::Arena arena;
  CHECK(always_deny().rules_for(user, "default", arena).resources.items().empty());
}

}  // namespace
}  // namespace tabernetes::auth
