// RBAC against its definition: random roles, bindings and requests, decided by looking at every
// rule of every binding that names the user.
#include "../../core/registry_fixture.h"
#include "auth/rbac.h"
#include "draw.h"

namespace tabernetes::access {
namespace {

using Resource = tests::RegistryFixture::Resource;

constexpr std::string_view kGroup = "rbac.authorization.k8s.io";
constexpr std::initializer_list<std::string_view> kNamespaces = {"a", "b"};
constexpr std::initializer_list<std::string_view> kAskedPlaces = {"", "a", "b", "c"};
constexpr std::initializer_list<std::string_view> kRoleNames = {"r1", "r2", "r3", "gone"};
constexpr std::initializer_list<std::string_view> kVerbs = {"get", "list", "create", "use", "*"};
constexpr std::initializer_list<std::string_view> kPaths = {"/healthz", "/api", "/api/v1", "/x/"};

struct Rule {
  Names verbs, groups, resources, names, paths;
};
struct Role {
  std::string ns, name;  // no namespace: a ClusterRole
  std::vector<Rule> rules;
};
struct Subject {
  std::string kind, ns, name;
};
struct Binding {
  std::string ns;  // empty: a ClusterRoleBinding
  bool to_cluster_role = true;
  std::string role;
  std::vector<Subject> subjects;
};
struct Policies {
  std::vector<Role> roles;
  std::vector<Binding> bindings;
};
struct Asked {
  std::string verb, group, resource, subresource, name, ns, path;  // with a path: nothing else
};

Rule draw_rule(Draw& draw, bool of_cluster) {
  Rule rule;
  rule.verbs = draw.some(kVerbs, 1);
  if (of_cluster && draw.one_in(3)) {
    rule.paths = draw.some({"/healthz", "/api/*", "/api", "*", "/x/*", "/x*"}, 1);
    return rule;
  }
  rule.groups = draw.some({"", "apps", "*"}, 1);
  rule.resources = draw.some({"pods", "pods/log", "*/log", "deployments", "*", "*/scale"}, 1);
  if (draw.one_in(3)) rule.names = draw.some({"x", "y"}, 1);
  return rule;
}

Policies draw_policies(Draw& draw) {
  Policies all;
  for (const std::string_view place : {"", "a", "b"}) {
    for (const std::string_view name : {"r1", "r2", "r3"}) {
      if (draw.one_in(3)) continue;
      Role role{std::string(place), std::string(name), {}};
      for (std::size_t i = draw.below(3); i > 0; --i) {
        role.rules.push_back(draw_rule(draw, place.empty()));
      }
      all.roles.push_back(std::move(role));
    }
  }
  for (std::size_t i = 1 + draw.below(8); i > 0; --i) {
    Binding binding;
    if (!draw.one_in(3)) binding.ns = draw.from(kNamespaces);
    binding.to_cluster_role = binding.ns.empty() || draw.one_in(2);
    binding.role = draw.from(kRoleNames);
    for (std::size_t j = draw.below(3); j > 0; --j) {
      Subject subject{draw.from({"User", "Group", "ServiceAccount"}), {}, draw.from({"u", "v"})};
      if (subject.kind == "ServiceAccount") subject.ns = draw.from(kNamespaces);
      binding.subjects.push_back(std::move(subject));
    }
    all.bindings.push_back(std::move(binding));
  }
  return all;
}

// --- The definition

bool names_user(const Subject& subject, const auth::User& user) {
  if (subject.kind == "User") return subject.name == user.name;
  if (subject.kind == "Group") return contains(user.groups, subject.name);
  return user.name == "system:serviceaccount:" + subject.ns + ":" + subject.name;
}

bool covers(const Rule& rule, const Asked& asked) {
  const auto has = [](const Names& names, std::string_view name) {
    return contains(names, "*") || contains(names, name);
  };
  if (!has(rule.verbs, asked.verb)) return false;
  if (!asked.path.empty()) {
    for (const std::string& path : rule.paths) {
      if (path == asked.path || path == "*") return true;
      if (path.ends_with('*') && asked.path.starts_with(path.substr(0, path.size() - 1))) {
        return true;
      }
    }
    return false;
  }
  const bool below = !asked.subresource.empty();
  const std::string whole = asked.resource + (below ? "/" + asked.subresource : "");
  const bool resource =
      has(rule.resources, whole) || (below && contains(rule.resources, "*/" + asked.subresource));
  return has(rule.groups, asked.group) && resource &&
         (rule.names.empty() || contains(rule.names, asked.name));
}

bool allows(const Policies& all, const auth::User& user, const Asked& asked) {
  for (const Binding& binding : all.bindings) {
    if (!binding.ns.empty() && (binding.ns != asked.ns || !asked.path.empty())) continue;
    bool named = false;
    for (const Subject& subject : binding.subjects) named = named || names_user(subject, user);
    if (!named) continue;
    for (const Role& role : all.roles) {
      if (role.name != binding.role) continue;
      if (role.ns != (binding.to_cluster_role ? std::string() : binding.ns)) continue;
      for (const Rule& rule : role.rules) {
        if (covers(rule, asked)) return true;
      }
    }
  }
  return false;
}

// --- The same in a cluster

std::string text_of(const Role& role) {
  std::string rules;
  for (const Rule& rule : role.rules) {
    rules += std::string(rules.empty() ? "" : ",") + "{\"verbs\":" + list_text(rule.verbs);
    if (!rule.paths.empty()) {
      rules += ",\"nonResourceURLs\":" + list_text(rule.paths) + "}";
      continue;
    }
    rules +=
        ",\"apiGroups\":" + list_text(rule.groups) + ",\"resources\":" + list_text(rule.resources);
    if (!rule.names.empty()) rules += ",\"resourceNames\":" + list_text(rule.names);
    rules += "}";
  }
  return "{\"metadata\":{\"name\":\"" + role.name + "\"},\"rules\":[" + rules + "]}";
}

std::string text_of(const Binding& binding, std::size_t number) {
  std::string subjects;
  for (const Subject& subject : binding.subjects) {
    subjects += std::string(subjects.empty() ? "" : ",") + "{\"kind\":\"" + subject.kind +
                "\",\"name\":\"" + subject.name + "\"";
    subjects += subject.ns.empty() ? ",\"apiGroup\":\"" + std::string(kGroup) + "\"}"
                                   : ",\"namespace\":\"" + subject.ns + "\"}";
  }
  return "{\"metadata\":{\"name\":\"b" + std::to_string(number) +
         "\"},\"roleRef\":{\"apiGroup\":\"" + std::string(kGroup) + "\",\"kind\":\"" +
         (binding.to_cluster_role ? "ClusterRole" : "Role") + "\",\"name\":\"" + binding.role +
         "\"},\"subjects\":[" + subjects + "]}";
}

class RbacCluster : public tests::RegistryFixture {
 public:
  explicit RbacCluster(const Policies& all) {
    for (const std::string_view ns : kNamespaces) {
      put({"", "v1", "namespaces"}, "", "{\"metadata\":{\"name\":\"" + std::string(ns) + "\"}}");
    }
    for (const Role& role : all.roles) {
      REQUIRE(
          create({kGroup, "v1", role.ns.empty() ? "clusterroles" : "roles"}, role.ns, text_of(role))
              .empty());
    }
    std::size_t number = 0;
    for (const Binding& binding : all.bindings) {
      REQUIRE(create({kGroup, "v1", binding.ns.empty() ? "clusterrolebindings" : "rolebindings"},
                     binding.ns, text_of(binding, number++))
                  .empty());
    }
    grants = roles.current(store, registry.resources());
  }

  auth::Roles roles;
  std::shared_ptr<const auth::Grants> grants;
};

Asked draw_asked(Draw& draw) {
  Asked asked;
  asked.verb = draw.from({"get", "list", "create", "use", "delete"});
  if (draw.one_in(4)) {
    asked.path = draw.from(kPaths);
    return asked;
  }
  asked.group = draw.from({"", "apps", "batch"});
  asked.resource = draw.from({"pods", "deployments", "jobs"});
  asked.subresource = draw.from({"", "", "log", "scale"});
  asked.name = draw.from({"", "x", "y", "z"});
  asked.ns = draw.from(kAskedPlaces);
  return asked;
}

TEST_CASE("RBAC decides as its definition does", "[property]") {
  const std::uint64_t first = setting("TABERNETES_PROPERTY_SEED", 1);
  const std::uint64_t runs = setting("TABERNETES_PROPERTY_RUNS", 150);
  std::size_t allowed = 0, refused = 0;
  for (std::uint64_t seed = first; seed < first + runs; ++seed) {
    Draw draw(seed);
    const Policies policies = draw_policies(draw);
    const RbacCluster cluster(policies);
    for (int i = 0; i < 200; ++i) {
      const auth::User user{.name = draw.from({"u", "v", "w", "system:serviceaccount:a:u",
                                               "system:serviceaccount:b:v"}),
                            .uid = {},
                            .groups = draw.some({"u", "v", "staff"}, 0),
                            .extra = {}};
      const Asked asked = draw_asked(draw);
      auth::Attributes wanted{.user = user, .verb = asked.verb};
      wanted.on_resource = asked.path.empty();
      wanted.group = asked.group;
      wanted.version = "v1";
      wanted.resource = asked.resource;
      wanted.subresource = asked.subresource;
      wanted.ns = asked.ns;
      wanted.name = asked.name;
      wanted.path = asked.path;
      const bool expected = allows(policies, user, asked);
      (expected ? allowed : refused) += 1;
      INFO("seed " << seed << ": " << user.name << " " << list_text(user.groups) << " "
                   << asked.verb << " " << asked.group << "/" << asked.resource << "/"
                   << asked.subresource << " " << asked.ns << "/" << asked.name << asked.path);
      REQUIRE((cluster.grants->authorize(wanted).verdict == auth::Verdict::kAllow) == expected);
    }
  }
  // Both happen often enough to mean something.
  CHECK(allowed > refused / 100);
  CHECK(refused > allowed / 20);
}

}  // namespace
}  // namespace tabernetes::access
