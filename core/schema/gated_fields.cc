#include "schema/gated_fields.h"

#include <algorithm>
#include <cassert>

namespace tabernetes::schema {
namespace {

using json::Arena;
using json::Value;

std::size_t place_of(const Type& type) {
  return static_cast<std::size_t>(&type - Catalogue::built_in().types().data());
}

// Returns the type of the objects that a field holds; null if it holds none.
const Type* held_type(const TypeRef& type) {
  if (type.element != nullptr) return held_type(*type.element);
  return type.type == FieldType::kRef ? type.ref : nullptr;
}

const Type* type_below(const Field& field) {
  return field.ungated ? nullptr : held_type(field.type);
}

bool says_something(const Value* value) {
  return value != nullptr && !value->is_null() &&
         !(value->is_string() && value->as_string().empty());
}

// Assigns a bit to each gate that is off and guards fields together, and to each field that a gate
// guards alone.
class OffGates {
 public:
  explicit OffGates(const FeatureGates& gates) : gates_(gates) {}

  std::uint64_t bits_of(const Field& field) {
    std::uint64_t bits = 0;
    for (const std::uint8_t gate : field.feature_gates) {
      if (gates_.enabled(gate)) continue;
      const Guard guard{gate, field.gated_alone ? &field : nullptr};
      auto found = std::find(off_.begin(), off_.end(), guard);
      if (found == off_.end()) found = off_.insert(found, guard);
      assert(off_.size() <= 64);
      bits |= std::uint64_t{1} << (found - off_.begin());
    }
    return bits;
  }

 private:
  struct Guard {
    std::uint8_t gate;
    const Field* alone;  // null: the gate's fields together
    bool operator==(const Guard&) const = default;
  };

  const FeatureGates& gates_;
  std::vector<Guard> off_;
};

}  // namespace

// Types refer to one another, so the fields that lead to guarded ones are collected up to a fixed
// point.
GatedFields::GatedFields(const FeatureGates& gates)
    : gates_(gates), steps_(Catalogue::built_in().types().size()) {
  const std::vector<Type>& types = Catalogue::built_in().types();
  OffGates off(gates);
  for (const Type& type : types) {
    for (const Field* field : type.json_fields()) {
      if (const Gates bits = off.bits_of(*field)) steps_[place_of(type)].push_back({field, bits});
    }
  }
  for (bool added = true; added;) {
    added = false;
    for (const Type& type : types) {
      std::vector<Step>& steps = steps_[place_of(type)];
      for (const Field* field : type.json_fields()) {
        const Type* below = type_below(*field);
        if (below == nullptr || steps_of(*below).empty()) continue;
        auto step = std::find_if(steps.begin(), steps.end(),
                                 [&](const Step& known) { return known.field == field; });
        if (step == steps.end()) step = steps.insert(step, {field});
        added = added || !step->goes_on;
        step->goes_on = true;
      }
    }
  }
}

const std::vector<GatedFields::Step>& GatedFields::steps_of(const Type& type) const {
  return steps_[place_of(type)];
}

GatedFields::Gates GatedFields::gates_of(const Step& step, const Value& member, Look look) {
  const std::string_view only_with = step.field->gated_member;
  if (look == Look::kUsed || only_with.empty()) return step.gates;
  return says_something(member.find(only_with)) ? step.gates : 0;
}

GatedFields::Gates GatedFields::find(const Type& type, const Value& object, Look look) const {
  Gates gates = 0;
  for (const Step& step : steps_of(type)) {
    const Value* member = object.find(step.field->name);
    if (member == nullptr || member->is_null()) continue;
    gates |= gates_of(step, *member, look);
    if (step.goes_on) gates |= find_in(step.field->type, *member, look);
  }
  return gates;
}

GatedFields::Gates GatedFields::find_in(const TypeRef& type, const Value& value, Look look) const {
  Gates gates = 0;
  if (value.is_array()) {
    for (const Value& item : value.items()) gates |= find_in(*type.element, item, look);
  } else if (type.type == FieldType::kMap && value.is_object()) {
    for (const json::Member& each : value.members()) {
      gates |= find_in(*type.element, each.value, look);
    }
  } else if (value.is_object()) {
    gates = find(*type.ref, value, look);
  }
  return gates;
}

void GatedFields::drop(const Type& type, Value& object, const Value* old, Arena& arena) const {
  Gates gates = find(type, object, Look::kGuarded);
  if (gates != 0 && old != nullptr) gates &= ~find(type, *old, Look::kUsed);
  if (gates != 0) object = without(type, object, gates, arena);
}

Value GatedFields::without(const Type& type, const Value& object, Gates gates, Arena& arena) const {
  Value rest = object.shallow_copy(arena);
  for (const Step& step : steps_of(type)) {
    Value* member = rest.find(step.field->name);
    if (member == nullptr || member->is_null()) continue;
    if ((gates_of(step, *member, Look::kGuarded) & gates) != 0) {
      rest.erase(step.field->name);
    } else if (step.goes_on) {
      const std::uint32_t before = member->size();
      *member = without_in(step.field->type, *member, gates, arena);
      if (step.field->prune && before > 0 && member->size() == 0) rest.erase(step.field->name);
    }
  }
  return rest;
}

Value GatedFields::without_in(const TypeRef& type, const Value& value, Gates gates,
                              Arena& arena) const {
  if (value.is_array()) {
    Value rest = Value::array(arena);
    rest.reserve(arena, value.size());
    for (const Value& item : value.items()) {
      rest.push_back(arena, without_in(*type.element, item, gates, arena));
    }
    return rest;
  }
  if (type.type != FieldType::kMap) {
    return value.is_object() ? without(*type.ref, value, gates, arena) : value;
  }
  if (!value.is_object()) return value;
  Value rest = value.shallow_copy(arena);
  for (json::Member& each : rest.members()) {
    each.value = without_in(*type.element, each.value, gates, arena);
  }
  return rest;
}

}  // namespace tabernetes::schema
