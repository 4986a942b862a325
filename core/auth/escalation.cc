#include "auth/escalation.h"

#include <string>

#include "auth/quoted_texts.h"
#include "auth/rbac_rule.h"
#include "base/go/text.h"
#include "json/access.h"
#include "json/equality.h"
#include "registry/life/registry.h"
#include "registry/meta/object_meta.h"

namespace tabernetes::auth {
namespace {

using json::Value;
using registry::AdmissionRequest;
using RuleList = std::vector<const Value*>;

// Returns whether an update changes only fields that the garbage collector works with.
bool is_for_collector(const AdmissionRequest& request) {
  if (request.old == nullptr) return false;
  json::Arena& arena = request.context.arena;
  Value copy = request.object.clone(arena);
  registry::ObjectMeta meta(copy, arena);
  for (const std::string_view field : {"ownerReferences", "finalizers", "managedFields"}) {
    meta.take(field, registry::metadata_of(*request.old));
  }
  return json::deep_equal(copy, *request.old);
}

RuleList rules_of(const Value& role) {
  RuleList rules;
  for (const Value& rule : items_at(role, {"rules"})) rules.push_back(&rule);
  return rules;
}

class Check {
 public:
  Check(const Grants& grants, const Authorizer& authorizer, const AdmissionRequest& request)
      : grants_(grants),
        authorizer_(authorizer),
        request_(request),
        user_(*request.context.user),
        resource_(*request.type.resource) {}

  Result<void> run() const {
    const bool binds = resource_.kind.ends_with("Binding");
    if (is_authorized(binds) || is_for_collector(request_)) return {};
    if (!binds) {
      TAB_CHECK(confirm(rules_of(request_.object)));
      return check_aggregation();
    }
    const Value& ref = *request_.object.find("roleRef");
    const std::string_view kind = ref.string_at("kind");
    if (kind != "ClusterRole" && kind != "Role") {
      return errors::plain_error("unsupported role reference kind: " + go_quote(kind));
    }
    const Value* role = grants_.find_role(ref, request_.ns);
    if (role == nullptr) {
      return errors::not_found(request_.type.group_resource(), ref.string_at("name"));
    }
    return confirm(rules_of(*role));
  }

 private:
  // Returns whether the user may `escalate` the role, or `bind` to it, explicitly.
  bool is_authorized(bool binds) const {
    Attributes wanted{.user = user_, .verb = binds ? "bind" : "escalate"};
    wanted.group = resource_.group;
    wanted.version = "*";
    wanted.resource = resource_.plural;
    wanted.ns = request_.ns;
    // A POST has no name in its path.
    if (request_.old != nullptr || request_.context.applies) {
      wanted.name = text_at(request_.object, {"metadata", "name"});
    }
    if (binds) {
      wanted.group = text_at(request_.object, {"roleRef", "apiGroup"});
      wanted.name = text_at(request_.object, {"roleRef", "name"});
      wanted.resource =
          text_at(request_.object, {"roleRef", "kind"}) == "ClusterRole" ? "clusterroles" : "roles";
    }
    return authorizer_.authorize(wanted).verdict == Verdict::kAllow;
  }

  Failure refusal(std::string_view why) const {
    const Value& meta = *registry::metadata_of(request_.object);
    std::string_view name = meta.string_at("name");
    // Generated names are not mentioned.
    if (request_.old == nullptr && !meta.string_at("generateName").empty()) name = {};
    return errors::forbidden(request_.type.group_resource(), name, why);
  }

  // Returns the permissions in `rules` that the user lacks.
  std::vector<std::string> missing(const RuleList& rules, std::string& faults) const {
    RuleList held;
    for (const Grant& grant : grants_.grants_to(user_, request_.ns)) {
      if (grant.rule != nullptr) {
        held.push_back(grant.rule);
        continue;
      }
      const Failure fault = errors::not_found(request_.type.group_resource(),
                                              text_at(grant.binding, {"roleRef", "name"}));
      faults += (faults.empty() ? "" : ", ") + fault->message;
    }
    return missing_rights(held, rules);
  }

  Result<void> confirm(const RuleList& rules) const {
    std::string faults;
    const std::vector<std::string> lines = missing(rules, faults);
    if (lines.empty()) return {};
    std::string why = "user " + go_quote(user_.name) + " (groups=" + quoted_texts(user_.groups) +
                      ") is attempting to grant RBAC permissions not currently held:";
    for (const std::string& line : lines) why += "\n" + line;
    if (!faults.empty()) why += "; resolution errors: [" + faults + "]";
    return refusal(why);
  }

  // Aggregating other roles requires all permissions, since any rule may be aggregated.
  Result<void> check_aggregation() const {
    const auto gathers = [](const Value* role) {
      return role != nullptr &&
             !items_at(*role, {"aggregationRule", "clusterRoleSelectors"}).empty();
    };
    if (!gathers(&request_.object) && !gathers(request_.old)) return {};
    json::Arena arena;
    const Rules all = always_allow().rules_for(user_, {}, arena);
    std::string faults;
    if (missing({&all.resources.items()[0], &all.paths.items()[0]}, faults).empty()) return {};
    return refusal("must have cluster-admin privileges to use the aggregationRule");
  }

  const Grants& grants_;
  const Authorizer& authorizer_;
  const AdmissionRequest& request_;
  const User& user_;
  const schema::Resource& resource_;
};

bool grants_rights(const registry::ResourceType& type) {
  const std::string_view kind = type.resource->kind;
  return type.resource->group == "rbac.authorization.k8s.io" && type.built_in() &&
         (kind.ends_with("Role") || kind.ends_with("Binding"));
}

}  // namespace

Result<void> EscalationGuard::mutate(const AdmissionRequest& request) const {
  TAB_CHECK(plugins_.mutate(request));
  const User* user = request.context.user;
  if (request.operation == registry::Operation::kDelete || user == nullptr || is_master(*user) ||
      !grants_rights(request.type))
    return {};
  const auto grants = roles_.current(request.registry.store(), request.registry.resources());
  const std::shared_ptr<const Authorizer> authorizer = authorizer_ ? authorizer_() : grants;
  return Check(*grants, *authorizer, request).run();
}

}  // namespace tabernetes::auth
