// The body of a PATCH, and its application to an object, without request and store. Source:
// spec/rest.md 6.3, 6.4; spec/patch-apply.md 2 to 5.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/api/result.h"
#include "json/value.h"
#include "server/decode/patched_object.h"
#include "server/request/options.h"

namespace tabernetes::server {

enum class PatchType { kJson, kMerge, kStrategic };

// Returns the patch type of a media type without parameters, or nullopt.
std::optional<PatchType> patch_type_named(std::string_view media);

// Returns the 415 error. Custom kinds have no strategic merge patch.
struct AcceptedPatchTypes {
  bool strategic = true;
  bool cbor = false;
};
Failure unknown_patch_type(const AcceptedPatchTypes& offered);

struct PatchDocument {
  PatchType type = PatchType::kMerge;
  FieldValidation validation = FieldValidation::kWarn;
  json::Value value;
  std::vector<std::string> strict_errors;  // of the patch itself

  // Returns whether the patch's members are not type-checked before the library parses them.
  bool skips_validation() const { return validation == FieldValidation::kIgnore; }
};

// Returns `duplicate field "spec.a"` for each duplicate key.
std::vector<std::string> duplicate_fields(const json::Value& tree);

// Parses a patch, which may hold views of `body`. Errors: 400 for invalid JSON.
Result<PatchDocument> read_patch(std::string_view body, PatchType type, FieldValidation validation,
                                 json::Arena& arena);

// Returns the patched `base`. Errors: those of the patch type; 422 for a result that is not an
// object of the target's kind, or that fieldValidation=Strict rejects.
Result<PatchedObject> apply_patch(const PatchTarget& target, const PatchDocument& patch,
                                  const json::Value& base, json::Arena& arena);

}  // namespace tabernetes::server
