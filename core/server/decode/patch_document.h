// The body of a PATCH, and what it makes of an object: all of it that needs no request and no
// store. Source: spec/rest.md 6.3, 6.4; spec/patch-apply.md 2 to 5.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "server/decode/patched_object.h"
#include "server/request/options.h"

namespace tabernetes::server {

enum class PatchType { kJson, kMerge, kStrategic };

// By its media type, without parameters. Nothing: there is no such type.
std::optional<PatchType> patch_type_named(std::string_view media);

// 415. Of custom kinds there is no strategic merge patch.
struct OfferedPatches {
  bool strategic = true;
  bool cbor = false;
};
Failure unknown_patch_type(const OfferedPatches& offered);

struct PatchDocument {
  PatchType type = PatchType::kMerge;
  FieldValidation validation = FieldValidation::kWarn;
  json::Value value;
  std::vector<std::string> strict_errors;  // of the patch itself

  // Without validation the patch is not looked at before the library reads it.
  bool is_unchecked() const { return validation == FieldValidation::kIgnore; }
};

// `duplicate field "spec.a"` of each key that stands twice.
std::vector<std::string> duplicate_fields(const json::Value& tree);

// The document may hold views of `body`. Errors: 400 for one that is no JSON.
Result<PatchDocument> read_patch(std::string_view body, PatchType type, FieldValidation validation,
                                 json::Arena& arena);

// `base` as the patch wants it. Errors: those of the patch's type; 422 for a result that is no
// object of the target's kind, or that fieldValidation=Strict refuses.
Result<PatchedObject> apply_patch(const PatchTarget& target, const PatchDocument& patch,
                                  const json::Value& base, json::Arena& arena);

}  // namespace tabernetes::server
