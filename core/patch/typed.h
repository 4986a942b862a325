// Operations of server-side apply on values with a schema: field sets, comparison, merging,
// pruning. Source: spec/patch-apply.md 6.4 to 6.7, 6.10; sigs.k8s.io/structured-merge-diff.
//
// Values nested deeper than FieldSet::kMaxDepth are treated as leaves.
#pragma once

#include <string>

#include "json/value.h"
#include "patch/field_set.h"
#include "patch/shape.h"

namespace tabernetes::patch {

enum class Duplicates { kAllowed, kRefused };

// Returns an error such as ".spec.replicas: expected numeric (int or float), got string", several
// as "errors:\n  A\n  B", or an empty text if the value is valid.
std::string validate_typed(const Shape& shape, const json::Value& value, Duplicates duplicates);

// Returns the fields owned by an applied configuration.
FieldSet field_set_of(const Shape& shape, const json::Value& value);

// Returns whether the value has parts with owners of their own. Empty containers and values nested
// too deep are leaves.
bool has_parts(const Shape& shape, const json::Value& value, int depth);

struct Comparison {
  FieldSet added, removed, modified;
  bool same() const { return added.empty() && removed.empty() && modified.empty(); }
};
Comparison compare_typed(const Shape& shape, const json::Value& left, const json::Value& right);

// Returns `config` merged over `live`; shares parts with both.
json::Value merge_typed(const Shape& shape, const json::Value& live, const json::Value& config,
                        json::Arena& arena);

// Returns `value` without the fields in `removed`. Containers left empty become null.
json::Value without_fields(const Shape& shape, const json::Value& value, const FieldSet& removed,
                           json::Arena& arena);

// Adds every declared field on the way to a path as a member of its own.
FieldSet with_named_fields(const Shape& shape, FieldSet set);

// Adapts the set to the present schema: paths below what is now a leaf are replaced by that leaf.
FieldSet reconciled(const Shape& shape, FieldSet set);

}  // namespace tabernetes::patch
