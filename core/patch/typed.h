// What server-side apply does with values of a schema: what they own, how two of them differ, how
// they are merged, what is left of them. Source: spec/patch-apply.md 6.4 to 6.7, 6.10;
// sigs.k8s.io/structured-merge-diff.
//
// Nothing looks deeper than FieldSet::kMaxDepth: what is below that is a leaf.
#pragma once

#include <string>

#include "json/value.h"
#include "patch/field_set.h"
#include "patch/shape.h"

namespace tabernetes::patch {

enum class Duplicates { kAllowed, kRefused };

// What is wrong with a value: ".spec.replicas: expected numeric (int or float), got string"; of
// several things "errors:\n  A\n  B". Empty: nothing.
std::string validate_typed(const Shape& shape, const json::Value& value, Duplicates duplicates);

// What an applied configuration owns.
FieldSet field_set_of(const Shape& shape, const json::Value& value);

// Whether a value has parts with owners of their own. Containers without anything in them are
// leaves, and what is nested too deep.
bool has_parts(const Shape& shape, const json::Value& value, int depth);

struct Comparison {
  FieldSet added, removed, modified;
  bool same() const { return added.empty() && removed.empty() && modified.empty(); }
};
Comparison compare_typed(const Shape& shape, const json::Value& left, const json::Value& right);

// `config` over `live`; shares what comes from one of them.
json::Value merge_typed(const Shape& shape, const json::Value& live, const json::Value& config,
                        json::Arena& arena);

// `value` without what is in `removed`. What is left empty becomes null.
json::Value without_fields(const Shape& shape, const json::Value& value, const FieldSet& removed,
                           json::Arena& arena);

// With every declared field on the way to a path as a member of its own.
FieldSet with_named_fields(const Shape& shape, FieldSet set);

// As the schema is now: paths below what has become a leaf are replaced by that leaf.
FieldSet reconciled(const Shape& shape, FieldSet set);

}  // namespace tabernetes::patch
