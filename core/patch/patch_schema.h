// What a strategic merge patch asks the schema: the type behind a member, how its lists merge.
// Source: spec/patch-apply.md 5.1.
#pragma once

#include <string_view>

#include "base/result.h"
#include "schema/schema.h"

namespace tabernetes::patch {

enum class Strategy { kDefault, kMerge, kReplace };  // default: maps merge, lists are replaced

// The type of a value that is patched: of an object, or of the items of a list.
struct PatchType {
  schema::FieldType type = schema::FieldType::kAny;
  const schema::Type* ref = nullptr;
};

struct PatchField {
  PatchType type;  // of its items if it is a list
  Strategy strategy = Strategy::kDefault;
  std::string_view merge_key;  // empty: none
};

// The field `name` of an object of type `of`. Errors: 500 for an object that has no fields, and for
// a field that it does not have.
Result<PatchField> patch_field(const PatchType& of, std::string_view name);

// As Go names the kind of the type, where lists cannot be merged: "struct".
std::string_view go_kind(const PatchType& type);

}  // namespace tabernetes::patch
