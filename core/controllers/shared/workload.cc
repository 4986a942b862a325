#include "controllers/shared/workload.h"

#include "base/text/ascii.h"
#include "base/time/rfc3339.h"
#include "json/access.h"
#include "registry/selectors/selector_object.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

Result<store::RecordPtr> write_back(const ReconcileContext& cluster,
                                    const registry::ResourceType& type, const Value& object,
                                    registry::Subresource part) {
  const Value& metadata = *object.find("metadata");
  const registry::ObjectRef ref{&type, metadata.string_at("namespace"), metadata.string_at("name")};
  const bool status = part == registry::Subresource::kStatus;
  auto updated =
      cluster.registry.update(cluster.context(status ? "status" : std::string_view()), ref, part,
                              [&](const Value* stored) -> Result<Value> {
                                if (stored == nullptr) {
                                  return errors::not_found(type.group_resource(), ref.name);
                                }
                                return object.clone(cluster.arena);
                              });
  if (!updated) return std::move(updated).failure();
  return updated->record;
}

}  // namespace

const registry::ResourceType& built_in(const registry::Registry& registry, std::string_view group,
                                       std::string_view version, std::string_view plural) {
  return *registry.resources().find(group, version, plural);
}

std::int64_t scaled_value(const Value* int_or_percent, std::int64_t total, Round round) {
  if (int_or_percent == nullptr) return 0;
  if (int_or_percent->is_int()) return int_or_percent->as_int();
  if (!int_or_percent->is_string()) return 0;
  std::int64_t percent = 0;
  for (const char digit : int_or_percent->as_string()) {
    if (!is_digit(digit)) break;
    percent = percent * 10 + (digit - '0');
  }
  return (total * percent + (round == Round::kUp ? 99 : 0)) / 100;
}

std::optional<registry::LabelSelector> workload_selector(const Value& workload) {
  const Value* selector = workload.at({"spec", "selector"});
  if (selector == nullptr) return std::nullopt;
  if (!selector->is_object() || selector->size() == 0 ||
      !selector->members()[0].value.is_string()) {
    return registry::read_label_selector(*selector);
  }
  json::Arena arena;
  Value object = Value::object(arena);
  object.append(arena, "matchLabels", *selector);
  return registry::read_label_selector(object);
}

const registry::LabelSelector* SelectorCache::selector_of(const registry::ResourceType& type,
                                                          const store::Record& record) {
  auto place = known_.find(record.key);
  if (place == known_.end()) place = known_.emplace(record.key, Known{}).first;
  Known& known = place->second;
  if (known.revision != record.revision) {
    json::Arena arena;
    known = {record.revision, workload_selector(registry::read_object(type, record, arena))};
  }
  return known.selector ? &*known.selector : nullptr;
}

const Value* condition_in(const Value& status, std::string_view type) {
  for (const Value& condition : items_in(status, "conditions")) {
    if (condition.string_at("type") == type) return &condition;
  }
  return nullptr;
}

void remove_condition(Value& status, std::string_view type, json::Arena& arena) {
  if (condition_in(status, type) == nullptr) return;
  Value kept = Value::array(arena);
  for (const Value& condition : items_in(status, "conditions")) {
    if (condition.string_at("type") != type) kept.push_back(arena, condition);
  }
  if (kept.size() > 0) {
    status.set(arena, "conditions", kept);
  } else {
    status.erase("conditions");
  }
}

void move_condition_to_end(Value& status, const Value& condition, json::Arena& arena) {
  Value conditions = Value::array(arena);
  for (const Value& other : items_in(status, "conditions")) {
    if (other.string_at("type") != condition.string_at("type")) conditions.push_back(arena, other);
  }
  conditions.push_back(arena, condition);
  status.set(arena, "conditions", conditions);
}

void set_count(Value& status, std::string_view key, std::int64_t count, json::Arena& arena) {
  if (count != 0) {
    status.set(arena, key, Value::integer(count));
  } else {
    status.erase(key);
  }
}

Value time_value(Time time, json::Arena& arena) {
  return Value::string(arena.copy(format_rfc3339(time)));
}

Result<void> update_status(const ReconcileContext& cluster, const registry::ResourceType& type,
                           const Value& object) {
  TAB_CHECK(write_back(cluster, type, object, registry::Subresource::kStatus));
  return {};
}

Result<store::RecordPtr> update_object(const ReconcileContext& cluster,
                                       const registry::ResourceType& type, const Value& object) {
  return write_back(cluster, type, object, registry::Subresource::kNone);
}

}  // namespace tabernetes::controllers
