// Schema lookups for strategic merge patch: the type of a member, and how its lists merge. Source:
// spec/patch-apply.md 5.1.
#pragma once

#include <string_view>

#include "base/api/result.h"
#include "schema/schema.h"

namespace tabernetes::patch {

// kDefault: maps are merged, lists are replaced.
enum class Strategy { kDefault, kMerge, kReplace };

// The type of a patched value: of an object, or of the items of a list.
struct PatchType {
  schema::FieldType type = schema::FieldType::kAny;
  const schema::Type* ref = nullptr;
};

struct PatchField {
  PatchType type;  // of the items if it is a list
  Strategy strategy = Strategy::kDefault;
  std::string_view merge_key;  // empty if it has none
};

// Returns the field `name` of an object of type `of`. Errors: 500 for an object without fields, or
// if it lacks this field.
Result<PatchField> patch_field(const PatchType& of, std::string_view name);

// Returns Go's kind of the type, for lists that cannot be merged: "struct".
std::string_view go_kind(const PatchType& type);

}  // namespace tabernetes::patch
