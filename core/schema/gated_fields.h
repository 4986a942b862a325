// Removes the fields of built-in kinds whose feature gates are off.
// Source: upstream 1.36, dropDisabledFields and their like in the strategies of the kinds.
#pragma once

#include <cstdint>
#include <vector>

#include "json/value.h"
#include "schema/feature_gates.h"

namespace tabernetes::schema {

// Immutable: any thread may use it.
class GatedFields {
 public:
  explicit GatedFields(const FeatureGates& gates);

  const FeatureGates& gates() const { return gates_; }

  // Removes from `object`, which is of `type`, the fields of each gate that is off, unless `old`
  // (may be null) uses a field of that gate; for a field with Field::gated_alone, that field. Does
  // not change trees that `object` shares.
  void drop(const Type& type, json::Value& object, const json::Value* old,
            json::Arena& arena) const;

 private:
  using Gates = std::uint64_t;  // a bit for each gate that is off and guards fields, and for each
                                // gated_alone field
  // kUsed finds guarded fields, kGuarded only those that have their Field::gated_member.
  enum class Look : std::uint8_t { kUsed, kGuarded };

  // A guarded field, or one that leads to guarded fields.
  struct Step {
    const Field* field = nullptr;
    Gates gates = 0;
    bool goes_on = false;  // guarded fields are below it
  };

  const std::vector<Step>& steps_of(const Type& type) const;
  static Gates gates_of(const Step& step, const json::Value& member, Look look);
  Gates find(const Type& type, const json::Value& object, Look look) const;
  Gates find_in(const TypeRef& type, const json::Value& value, Look look) const;
  json::Value without(const Type& type, const json::Value& object, Gates gates,
                      json::Arena& arena) const;
  json::Value without_in(const TypeRef& type, const json::Value& value, Gates gates,
                         json::Arena& arena) const;

  FeatureGates gates_;
  std::vector<std::vector<Step>> steps_;  // by the type's index in the catalogue
};

}  // namespace tabernetes::schema
