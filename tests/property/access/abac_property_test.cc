// ABAC against its definition: random policies and requests. Source: upstream 1.36
// pkg/auth/authorizer/abac/abac.go.
#include <catch2/catch_test_macros.hpp>

#include "auth/abac.h"
#include "draw.h"

namespace tabernetes::access {
namespace {

struct Policy {
  std::string user, group, ns, resource, api_group, path;
  bool readonly = false;
};

Policy draw_policy(Draw& draw) {
  Policy policy;
  policy.user = draw.from({"", "u", "v", "*"});
  policy.group = draw.from({"", "", "staff", "*", "system:authenticated"});
  policy.readonly = draw.one_in(2);
  if (draw.one_in(3)) {
    policy.path = draw.from({"*", "/healthz", "/api*", "/x/*"});
    return policy;
  }
  policy.ns = draw.from({"", "a", "*"});
  policy.resource = draw.from({"pods", "jobs", "*"});
  policy.api_group = draw.from({"", "batch", "*"});
  return policy;
}

std::string text_of(const Policy& policy) {
  std::string spec;
  const auto add = [&](const char* key, const std::string& text) {
    if (text.empty()) return;
    spec += std::string(spec.empty() ? "\"" : ",\"") + key + "\":\"" + text + "\"";
  };
  add("user", policy.user);
  add("group", policy.group);
  add("namespace", policy.ns);
  add("resource", policy.resource);
  add("apiGroup", policy.api_group);
  add("nonResourcePath", policy.path);
  if (policy.readonly) spec += std::string(spec.empty() ? "" : ",") + "\"readonly\":true";
  return R"({"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":{)" +
         spec + "}}\n";
}

// A policy names a user, a group, or both, and then both must fit; "*" is everybody who is
// authenticated (pkg/apis/abac/v1beta1/conversion.go).
bool concerns(const Policy& policy, const auth::User& user) {
  if (policy.user == "*" || policy.group == "*") return true;
  if (policy.user.empty() && policy.group.empty()) return false;
  return (policy.user.empty() || policy.user == user.name) &&
         (policy.group.empty() || contains(user.groups, policy.group));
}

bool covers(const Policy& policy, const auth::Attributes& wanted) {
  const bool reads = wanted.verb == "get" || wanted.verb == "list" || wanted.verb == "watch";
  if (policy.readonly && !reads) return false;
  const auto fits = [](const std::string& text, std::string_view value) {
    return text == "*" || text == value;
  };
  if (wanted.on_resource) {
    return policy.path.empty() && fits(policy.ns, wanted.ns) &&
           fits(policy.resource, wanted.resource) && fits(policy.api_group, wanted.group);
  }
  const std::string& path = policy.path;
  if (path.empty()) return false;
  return fits(path, wanted.path) ||
         (path.ends_with('*') && wanted.path.starts_with(path.substr(0, path.size() - 1)));
}

TEST_CASE("ABAC decides as its definition does", "[property]") {
  const std::uint64_t first = setting("TABERNETES_PROPERTY_SEED", 1);
  const std::uint64_t runs = setting("TABERNETES_PROPERTY_RUNS", 1000);
  std::size_t allowed = 0, refused = 0;
  for (std::uint64_t seed = first; seed < first + runs; ++seed) {
    Draw draw(seed);
    std::vector<Policy> policies;
    std::string text;
    for (std::size_t i = draw.below(4); i > 0; --i) {
      policies.push_back(draw_policy(draw));
      text += text_of(policies.back());
    }
    const auth::AbacPolicies file(text);
    INFO("seed " << seed << "\n" << text << file.fault());
    REQUIRE(file.fault().empty());
    for (int i = 0; i < 30; ++i) {
      auth::User user{.name = draw.from({"u", "v", "w"}),
                      .uid = {},
                      .groups = draw.some({"staff", "other"}, 0),
                      .extra = {}};
      user.groups.push_back("system:authenticated");
      const std::string verb = draw.from({"get", "list", "watch", "create"});
      const std::string group = draw.from({"", "batch"}), ns = draw.from({"", "a", "b"});
      const std::string resource = draw.from({"pods", "jobs"});
      const std::string path = draw.from({"/healthz", "/api", "/api/v1", "/x/y", "/"});
      auth::Attributes wanted{.user = user, .verb = verb};
      wanted.on_resource = !draw.one_in(3);
      if (wanted.on_resource) {
        wanted.group = group;
        wanted.resource = resource;
        wanted.ns = ns;
      } else {
        wanted.path = path;
      }
      bool expected = false;
      for (const Policy& policy : policies) {
        expected = expected || (concerns(policy, user) && covers(policy, wanted));
      }
      (expected ? allowed : refused) += 1;
      INFO(user.name << " " << verb << " " << wanted.group << "/" << wanted.resource << " "
                     << wanted.ns << wanted.path);
      REQUIRE((file.authorize(wanted).verdict == auth::Verdict::kAllow) == expected);
    }
  }
  CHECK(allowed > refused / 100);
  CHECK(refused > allowed / 20);
}

}  // namespace
}  // namespace tabernetes::access
