#include "controllers/apps/daemon_node.h"

#include <algorithm>

#include "base/go/text.h"
#include "json/access.h"
#include "json/fill.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";

bool tolerates(const Value& toleration, const DaemonNode::Taint& taint) {
  const std::string_view effect = toleration.string_at("effect");
  const std::string_view key = toleration.string_at("key");
  if (!effect.empty() && effect != taint.effect) return false;
  if (!key.empty() && key != taint.key) return false;
  const std::string_view op = toleration.string_at("operator");
  const std::string_view value = toleration.string_at("value");
  if (op == "Exists") return true;
  if (op.empty() || op == "Equal") return value == taint.value;
  // Lt and Gt compare integers.
  const GoParsedInt wanted = go_parse_int(value);
  const GoParsedInt given = go_parse_int(taint.value);
  if (!wanted.error.empty() || !given.error.empty()) return false;
  return op == "Lt" ? given.value < wanted.value : op == "Gt" && given.value > wanted.value;
}

bool all_tolerated(const Value& spec, const DaemonNode& node, bool no_execute_only) {
  return std::all_of(node.taints.begin(), node.taints.end(), [&](const DaemonNode::Taint& taint) {
    const bool counts =
        taint.effect == "NoExecute" || (!no_execute_only && taint.effect == "NoSchedule");
    if (!counts) return true;
    const json::Range<Value> tolerations = items_in(spec, "tolerations");
    return std::any_of(tolerations.begin(), tolerations.end(),
                       [&](const Value& toleration) { return tolerates(toleration, taint); });
  });
}

bool requirement_fits(const Value& requirement, const std::optional<std::string_view>& given) {
  const std::string_view op = requirement.string_at("operator");
  const json::Range<Value> values = items_in(requirement, "values");
  const auto is_listed = [&] {
    return given && std::any_of(values.begin(), values.end(),
                                [&](const Value& value) { return text_of(value) == *given; });
  };
  if (op == "In") return is_listed();
  if (op == "NotIn") return !is_listed();
  if (op == "Exists") return given.has_value();
  if (op == "DoesNotExist") return !given;
  if (!given || values.size() != 1) return false;
  const GoParsedInt number = go_parse_int(*given);
  const GoParsedInt bound = go_parse_int(text_of(values[0]));
  if (!number.error.empty() || !bound.error.empty()) return false;
  return op == "Gt" ? number.value > bound.value : op == "Lt" && number.value < bound.value;
}

// A term without requirements fits no node.
bool term_fits(const Value& term, const DaemonNode& node) {
  const json::Range<Value> expressions = items_in(term, "matchExpressions");
  const json::Range<Value> fields = items_in(term, "matchFields");
  if (expressions.empty() && fields.empty()) return false;
  return std::all_of(expressions.begin(), expressions.end(),
                     [&](const Value& expression) {
                       return requirement_fits(
                           expression,
                           registry::label_of(*node.record, expression.string_at("key")));
                     }) &&
         std::all_of(fields.begin(), fields.end(), [&](const Value& field) {
           return field.string_at("key") == "metadata.name" && requirement_fits(field, node.name);
         });
}

bool affinity_fits(const Value& spec, const DaemonNode& node) {
  for (const json::Member& label : members_at(spec, {"nodeSelector"})) {
    if (registry::label_of(*node.record, label.key) != text_of(label.value)) return false;
  }
  const Value* required = spec.at({"affinity", "nodeAffinity", kRequired});
  if (required == nullptr) return true;
  const json::Range<Value> terms = items_in(*required, "nodeSelectorTerms");
  return std::any_of(terms.begin(), terms.end(),
                     [&](const Value& term) { return term_fits(term, node); });
}

// Adds a toleration in the place of one that differs only in its seconds.
void add_toleration(Value& spec, std::string_view key, std::string_view effect,
                    json::Arena& arena) {
  Value added = Value::object(arena);
  added.append(arena, "key", Value::string(key));
  added.append(arena, "operator", Value::string("Exists"));
  added.append(arena, "effect", Value::string(effect));
  Value all = Value::array(arena);
  bool placed = false;
  for (const Value& known : items_in(spec, "tolerations")) {
    const bool same = known.string_at("key") == key && known.string_at("effect") == effect &&
                      known.string_at("operator") == "Exists" && known.string_at("value").empty();
    placed = placed || same;
    all.push_back(arena, same ? added : known);
  }
  if (!placed) all.push_back(arena, added);
  spec.set(arena, "tolerations", all);
}

}  // namespace

DaemonNodePtr read_daemon_node(const Value& node, const store::RecordPtr& record) {
  auto read = std::make_shared<DaemonNode>();
  read->record = record;
  read->name = text_at(node, {"metadata", "name"});
  for (const Value& taint : items_at(node, {"spec", "taints"})) {
    read->taints.push_back({std::string(taint.string_at("key")),
                            std::string(taint.string_at("value")),
                            std::string(taint.string_at("effect"))});
  }
  return read;
}

bool same_for_daemons(const DaemonNode& a, const DaemonNode& b) {
  return a.taints == b.taints && registry::labels_of(*a.record) == registry::labels_of(*b.record);
}

DaemonFit daemon_fit(const Value& spec, const DaemonNode& node) {
  const std::string_view wanted = spec.string_at("nodeName");
  if (!wanted.empty() && wanted != node.name) return {};
  if (!affinity_fits(spec, node)) return {};
  if (!all_tolerated(spec, node, false)) return {false, all_tolerated(spec, node, true)};
  return {true, true};
}

void add_daemon_tolerations(Value& spec, json::Arena& arena) {
  add_toleration(spec, "node.kubernetes.io/not-ready", "NoExecute", arena);
  add_toleration(spec, "node.kubernetes.io/unreachable", "NoExecute", arena);
  add_toleration(spec, "node.kubernetes.io/disk-pressure", "NoSchedule", arena);
  add_toleration(spec, "node.kubernetes.io/memory-pressure", "NoSchedule", arena);
  add_toleration(spec, "node.kubernetes.io/pid-pressure", "NoSchedule", arena);
  add_toleration(spec, "node.kubernetes.io/unschedulable", "NoSchedule", arena);
  if (bool_at(spec, {"hostNetwork"})) {
    add_toleration(spec, "node.kubernetes.io/network-unavailable", "NoSchedule", arena);
  }
}

void require_node(Value& spec, std::string_view node, json::Arena& arena) {
  Value names = Value::array(arena);
  names.push_back(arena, Value::string(node));
  Value field = Value::object(arena);
  field.append(arena, "key", Value::string("metadata.name"));
  field.append(arena, "operator", Value::string("In"));
  field.append(arena, "values", names);
  Value fields = Value::array(arena);
  fields.push_back(arena, field);
  Value term = Value::object(arena);
  term.append(arena, "matchFields", fields);
  Value terms = Value::array(arena);
  terms.push_back(arena, term);
  Value required = Value::object(arena);
  required.append(arena, "nodeSelectorTerms", terms);
  Value& affinity = object_or_new(spec, "affinity", arena);
  object_or_new(affinity, "nodeAffinity", arena).set(arena, kRequired, required);
}

}  // namespace tabernetes::controllers
