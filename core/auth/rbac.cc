#include "auth/rbac.h"

#include <algorithm>
#include <string>

#include "auth/rbac_rule.h"
#include "base/go/text.h"
#include "json/access.h"
#include "json/build.h"
#include "registry/objects/object_record.h"

namespace tabernetes::auth {
namespace {

using json::Value;

constexpr std::string_view kGroup = "rbac.authorization.k8s.io/";
constexpr std::string_view kClusterBindings = "rbac.authorization.k8s.io/clusterrolebindings/";
constexpr std::string_view kBindings = "rbac.authorization.k8s.io/rolebindings/";

bool is_in(const std::vector<std::string>& groups, std::string_view group) {
  return std::find(groups.begin(), groups.end(), group) != groups.end();
}

// Returns whether a subject of a binding in `ns` is the user.
bool applies(const Value& subject, std::string_view ns, const User& user) {
  const std::string_view kind = subject.string_at("kind");
  const std::string_view name = subject.string_at("name");
  if (kind == "User") return name == user.name;
  if (kind == "Group") return is_in(user.groups, name);
  if (kind != "ServiceAccount") return false;
  const std::string_view own = subject.string_at("namespace");
  if (!own.empty()) ns = own;
  std::string_view left = user.name;
  for (const std::string_view part :
       {std::string_view("system:serviceaccount:"), ns, std::string_view(":"), name}) {
    if (!left.starts_with(part)) return false;
    left.remove_prefix(part.size());
  }
  return left.empty() && !ns.empty();
}

// Returns `RoleBinding "b/ns" of Role "r" to User "u"`.
std::string described(const Grant& grant) {
  const std::string_view ns = text_at(grant.binding, {"metadata", "namespace"});
  const auto with = [](std::string_view name, std::string_view of) {
    return go_quote(of.empty() ? std::string(name) : std::string(name) + "/" + std::string(of));
  };
  std::string text(grant.binding.string_at("kind"));
  text += " " + with(text_at(grant.binding, {"metadata", "name"}), ns) + " of ";
  text.append(text_at(grant.binding, {"roleRef", "kind"})) += " ";
  text += go_quote(text_at(grant.binding, {"roleRef", "name"})) + " to ";
  const std::string_view kind = grant.subject.string_at("kind");
  std::string_view of;
  if (kind == "ServiceAccount") of = grant.subject.string_at("namespace");
  if (kind == "ServiceAccount" && of.empty()) of = ns;
  return text.append(kind) + " " + with(grant.subject.string_at("name"), of);
}

// Collects errors about missing roles.
class Missing {
 public:
  void add(const Grant& grant) {
    const bool cluster = text_at(grant.binding, {"roleRef", "kind"}) == "ClusterRole";
    std::string text = cluster ? "clusterrole" : "role";
    text += ".rbac.authorization.k8s.io ";
    text += go_quote(text_at(grant.binding, {"roleRef", "name"})) + " not found";
    if (!is_in(texts_, text)) texts_.push_back(std::move(text));
  }
  std::string text() const {
    std::string all;
    for (const std::string& one : texts_) all += (all.empty() ? "" : ", ") + one;
    return texts_.size() > 1 ? "[" + all + "]" : all;
  }

 private:
  std::vector<std::string> texts_;
};

// Returns the resource as rules name it, such as "pods/log".
std::string resource_in_rules(const Attributes& wanted) {
  std::string resource(wanted.resource);
  if (!wanted.subresource.empty()) resource.append("/").append(wanted.subresource);
  return resource;
}

Action action_of(const Attributes& wanted, std::string_view resource) {
  return {wanted.verb, wanted.on_resource, wanted.group, resource, wanted.name, wanted.path};
}

// Returns the namespace whose bindings count; empty: those of the cluster alone.
std::string_view place_of(const Attributes& wanted) {
  return wanted.on_resource ? wanted.ns : std::string_view();
}

// Returns {"kind","namespace","name","subject","role"} of a binding.
Value binding_explained(const Grant& grant, json::Arena& arena) {
  Value step = Value::object(arena);
  const auto add = [&](std::string_view key, std::string_view text) {
    if (!text.empty()) step.append(arena, key, Value::string(arena.copy(text)));
  };
  add("kind", grant.binding.string_at("kind"));
  add("namespace", text_at(grant.binding, {"metadata", "namespace"}));
  add("name", text_at(grant.binding, {"metadata", "name"}));
  step.append(arena, "subject", grant.subject.clone(arena));
  if (const Value* role = grant.binding.find("roleRef")) {
    step.append(arena, "roleRef", role->clone(arena));
  }
  if (grant.rule == nullptr) step.append(arena, "missing", Value::boolean(true));
  return step;
}

Value rule_explained(const Value& rule, const Action& action, json::Arena& arena) {
  const std::vector<std::string_view> differ = fields_that_differ(rule, action);
  Value step = Value::object(arena);
  step.append(arena, "rule", rule.clone(arena));
  step.append(arena, "covers", Value::boolean(differ.empty()));
  if (!differ.empty()) step.append(arena, "differs", json::string_array(differ, arena));
  return step;
}

}  // namespace

bool is_master(const User& user) { return is_in(user.groups, "system:masters"); }

Decision Grants::authorize(const Attributes& wanted) const {
  if (is_master(wanted.user)) return {.verdict = Verdict::kAllow, .reason = {}, .error = {}};
  const std::string resource = resource_in_rules(wanted);
  const Action action = action_of(wanted, resource);
  Missing missing;
  for (const Grant& grant : grants_to(wanted.user, place_of(wanted))) {
    if (grant.rule == nullptr) {
      missing.add(grant);
    } else if (covers(*grant.rule, action)) {
      return {.verdict = Verdict::kAllow,
              .reason = "RBAC: allowed by " + described(grant),
              .error = {}};
    }
  }
  std::string reason = missing.text();
  if (!reason.empty()) reason.insert(0, "RBAC: ");
  return {.verdict = Verdict::kNoOpinion, .reason = std::move(reason), .error = {}};
}

void Grants::explain(const Attributes& wanted, json::Arena& arena, Value& steps) const {
  const std::string resource = resource_in_rules(wanted);
  const Action action = action_of(wanted, resource);
  Value bindings = Value::array(arena);
  Value rules = Value::array(arena);
  Value binding;
  const Grant* last = nullptr;
  const auto end_binding = [&] {
    if (last == nullptr) return;
    if (last->rule != nullptr) binding.append(arena, "rules", rules);
    bindings.push_back(arena, binding);
  };
  const std::vector<Grant> grants = grants_to(wanted.user, place_of(wanted));
  for (const Grant& grant : grants) {
    if (last == nullptr || &last->binding != &grant.binding) {
      end_binding();
      binding = binding_explained(grant, arena);
      rules = Value::array(arena);
    }
    if (grant.rule != nullptr) {
      rules.push_back(arena, rule_explained(*grant.rule, action, arena));
    }
    last = &grant;
  }
  end_binding();
  Value step = explained(name(), authorize(wanted), arena);
  step.append(arena, "bindings", bindings);
  steps.push_back(arena, step);
}

Rules Grants::rules_for(const User& user, std::string_view ns, json::Arena& arena) const {
  Rules rules{.resources = Value::array(arena), .paths = Value::array(arena), .error = {}};
  Missing missing;
  for (const Grant& grant : grants_to(user, ns)) {
    if (grant.rule == nullptr) {
      missing.add(grant);
    } else if (items_at(*grant.rule, {"resources"}).empty()) {
      rules.paths.push_back(arena, *grant.rule);
    } else {
      rules.resources.push_back(arena, *grant.rule);
    }
  }
  rules.error = missing.text();
  return rules;
}

Grants::Place Grants::find_place(std::string_view key) const {
  return std::lower_bound(
      objects_.begin(), objects_.end(), key,
      [](const KeptPtr& kept, std::string_view wanted) { return kept->record->key < wanted; });
}

void Grants::add_grants(std::string_view prefix, std::string_view ns, const User& user,
                        std::vector<Grant>& grants) const {
  for (Place at = find_place(prefix);
       at != objects_.end() && (*at)->record->key.starts_with(prefix); ++at) {
    const Value& binding = (*at)->object;
    for (const Value& subject : items_at(binding, {"subjects"})) {
      if (!applies(subject, ns, user)) continue;
      const Value* ref = binding.find("roleRef");
      const Value* role = ref == nullptr ? nullptr : find_role(*ref, ns);
      if (role == nullptr) {
        grants.push_back({binding, subject, nullptr});
      } else {
        for (const Value& rule : items_at(*role, {"rules"})) {
          grants.push_back({binding, subject, &rule});
        }
      }
      break;
    }
  }
}

std::vector<Grant> Grants::grants_to(const User& user, std::string_view ns) const {
  std::vector<Grant> grants;
  add_grants(kClusterBindings, {}, user, grants);
  if (!ns.empty()) add_grants(std::string(kBindings).append(ns) + "/", ns, user, grants);
  return grants;
}

const Value* Grants::find_role(const Value& ref, std::string_view ns) const {
  std::string key(kGroup);
  if (ref.string_at("kind") == "ClusterRole") {
    key += "clusterroles/";
  } else {
    key.append("roles/").append(ns) += "/";
  }
  key += ref.string_at("name");
  const Place at = find_place(key);
  return at == objects_.end() || (*at)->record->key != key ? nullptr : &(*at)->object;
}

void Grants::put(std::string_view key, KeptPtr kept) {
  const auto at = objects_.begin() + (find_place(key) - objects_.begin());
  const bool known = at != objects_.end() && (*at)->record->key == key;
  if (known && kept) {
    *at = std::move(kept);
  } else if (known) {
    objects_.erase(at);
  } else if (kept) {
    objects_.insert(at, std::move(kept));
  }
}

std::shared_ptr<const Grants> Roles::current(const store::Store& store,
                                             const registry::ResourceTable& resources) {
  std::shared_ptr<Grants> next;
  const auto arena = std::make_shared<json::Arena>();
  const auto put = [&](std::string_view key, const store::RecordPtr& record) {
    const registry::ResourceType* type = resources.find_key(key);
    if (type == nullptr || !type->built_in()) return true;
    if (!next) next = grants_ ? std::make_shared<Grants>(*grants_) : std::make_shared<Grants>();
    Grants::KeptPtr kept;
    if (record) {
      kept = std::make_shared<const Grants::Kept>(
          Grants::Kept{record, arena, registry::read_object(*type, *record, *arena)});
    }
    next->put(key, std::move(kept));
    return true;
  };
  const store::History& history = store.history();
  if (!grants_ || !history.kept(seen_)) {
    grants_ = std::make_shared<const Grants>();
    store.tree().scan(kGroup, store::prefix_end(kGroup), put);
    seen_ = history.end();
  }
  for (; seen_ < history.end(); ++seen_) {
    const store::EventPtr& event = history.at(seen_);
    if (event->key.starts_with(kGroup)) put(event->key, event->current);
  }
  if (next) grants_ = std::move(next);
  return grants_;
}

}  // namespace tabernetes::auth
