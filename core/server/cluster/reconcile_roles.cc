// Tested by tests/core/server/cluster/reconcile_roles_test.cc.
#include "server/cluster/reconcile_roles.h"

#include <algorithm>
#include <string>
#include <utility>

#include "auth/rbac_rule.h"
#include "codec/json_list.h"
#include "codec/json_reader.h"
#include "json/access.h"
#include "json/equality.h"
#include "registry/kind/kind_behaviour.h"
#include "registry/objects/object_record.h"
#include "server/cluster/document_object.h"

namespace tabernetes::server {
namespace {

using json::Value;

constexpr std::string_view kProtects = "rbac.authorization.kubernetes.io/autoupdate";

// The members of a rule that permit something, each a list.
struct RulePart {
  std::string_view key, text;
};

// Returns a rule that permits a single action.
Value rule_of(const auth::Action& action, json::Arena& arena) {
  Value rule = Value::object(arena);
  const auto add = [&](RulePart part) {
    Value list = Value::array(arena);
    list.push_back(arena, Value::string(part.text));
    rule.append(arena, part.key, list);
  };
  add({"verbs", action.verb});
  if (!action.on_resource) {
    add({"nonResourceURLs", action.path});
    return rule;
  }
  add({"apiGroups", action.group});
  add({"resources", action.resource});
  if (!action.name.empty()) add({"resourceNames", action.name});
  return rule;
}

// Sets a list to what it has and `more`, unless there is nothing more.
void append_items(Value& owner, std::string_view key, const std::vector<Value>& more,
                  json::Arena& arena) {
  if (more.empty()) return;
  Value list = Value::array(arena);
  for (const Value& item : json::items_in(owner, key)) list.push_back(arena, item);
  for (const Value& item : more) list.push_back(arena, item);
  owner.set(arena, key, list);
}

void add_rules(Value& role, const Value& wanted, json::Arena& arena) {
  const auto held = json::items_in(role, "rules");
  std::vector<Value> more;
  for (const Value& rule : json::items_in(wanted, "rules")) {
    auth::each_action(rule, [&](const auth::Action& action) {
      for (const Value& one : held) {
        if (auth::covers(one, action)) return;
      }
      more.push_back(rule_of(action, arena));
    });
  }
  append_items(role, "rules", more, arena);
}

// Adds the items of a list that are not in it.
void add_items(Value& owner, const Value& wanted, std::string_view key, json::Arena& arena) {
  std::vector<Value> more;
  const auto held = json::items_in(owner, key);
  for (const Value& item : json::items_in(wanted, key)) {
    const bool has = std::any_of(held.begin(), held.end(),
                                 [&](const Value& one) { return json::deep_equal(one, item); });
    if (!has) more.push_back(item);
  }
  append_items(owner, key, more, arena);
}

void add_selectors(Value& role, const Value& wanted, json::Arena& arena) {
  const Value* rule = wanted.find("aggregationRule");
  if (rule == nullptr) {
    role.erase("aggregationRule");
    return;
  }
  const Value* held = role.find("aggregationRule");
  Value all = held == nullptr ? Value::object(arena) : held->shallow_copy(arena);
  add_items(all, *rule, "clusterRoleSelectors", arena);
  role.set(arena, "aggregationRule", all);
}

// Adds the missing keys of a map in the metadata.
void add_keys(Value& object, const Value& wanted, std::string_view map, json::Arena& arena) {
  Value metadata = object.find("metadata")->shallow_copy(arena);
  const Value* held = metadata.find(map);
  Value all = held == nullptr ? Value::object(arena) : held->shallow_copy(arena);
  for (const json::Member& member : json::members_at(wanted, {"metadata", map})) {
    if (all.find(member.key) == nullptr) all.append(arena, member.key, member.value);
  }
  if (all.size() == 0) return;
  metadata.set(arena, map, all);
  object.set(arena, "metadata", metadata);
}

Value reconciled(const Value& stored, const Value& wanted, bool binding, json::Arena& arena) {
  Value object = stored.shallow_copy(arena);
  add_keys(object, wanted, "annotations", arena);
  add_keys(object, wanted, "labels", arena);
  if (binding) {
    add_items(object, wanted, "subjects", arena);
  } else {
    add_rules(object, wanted, arena);
    if (wanted.string_at("kind") == "ClusterRole") add_selectors(object, wanted, arena);
  }
  return object;
}

void reconcile(Cluster& cluster, const Value& raw, json::Arena& arena) {
  const Result<DocumentObject> read =
      read_document_object(cluster.registry.resources(), raw, arena);
  if (!read) return;
  const registry::ResourceType& type = *read->type;
  Value wanted = read->value;
  const std::string ns(json::text_at(wanted, {"metadata", "namespace"}));
  const std::string name(json::text_at(wanted, {"metadata", "name"}));
  const store::RecordPtr record = cluster.store.get(type.key(ns, name));
  if (!record) return;
  const Value stored = registry::read_object(type, *record, arena);
  if (json::text_at(stored, {"metadata", "annotations", kProtects}) == "false") return;
  const bool binding = wanted.find("roleRef") != nullptr;
  const registry::WriteContext context{
      .arena = arena, .now = cluster.now, .manager = "kube-apiserver"};
  type.behaviour->apply_defaults(cluster.registry.hook_context(context), wanted);
  const registry::ObjectRef ref{&type, ns, name};
  if (binding && !json::same_member(stored, wanted, "roleRef")) {
    (void)cluster.registry.remove(context, ref, {});
    return;
  }
  (void)cluster.registry.update(
      context, ref, registry::Subresource::kNone,
      [&](const Value* now) -> Result<Value> { return reconciled(*now, wanted, binding, arena); });
}

}  // namespace

void reconcile_roles(Cluster& cluster, std::string_view manifest) {
  json::Arena arena;
  for (std::size_t at = manifest.find('{'); at < manifest.size(); at = manifest.find('{', at)) {
    const std::string_view text = manifest.substr(at, codec::json_extent(manifest.substr(at)));
    arena.clear();
    const codec::JsonRead read = codec::read_json(text, arena);
    if (read.ok()) reconcile(cluster, read.value, arena);
    at += text.size();
  }
}

}  // namespace tabernetes::server
