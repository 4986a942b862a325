// Tested by tests/conformance/cases/field-validation.json and
// tests/core/standalone/patching_test.cc.
#include "server/decode/patch_document.h"

#include <cmath>

#include "base/go/text.h"
#include "codec/json_reader.h"
#include "json/duplicates.h"
#include "patch/json_patch.h"
#include "patch/merge_patch.h"
#include "patch/strategic_merge.h"
#include "schema/decode.h"

namespace tabernetes::server {
namespace {

using json::Value;

constexpr std::string_view kBadMergePatch = "Invalid JSON Patch";

Failure unreadable(const PatchDocument& patch, const std::string& error) {
  if (patch.type == PatchType::kStrategic) return errors::bad_request(error);
  if (!patch.skips_validation()) return errors::bad_request("error decoding patch: " + error);
  return errors::bad_request(patch.type == PatchType::kMerge ? kBadMergePatch
                                                             : std::string_view(error));
}

// Returns a number beyond float64, which the real server's untyped decoding rejects, or null.
const Value* endless_number(const Value& tree) {
  std::vector<const Value*> open = {&tree};
  while (!open.empty()) {
    const Value& next = *open.back();
    open.pop_back();
    if (next.is_double() && !std::isfinite(next.as_double())) return &next;
    if (next.is_array()) {
      for (const Value& item : next.items()) open.push_back(&item);
    } else if (next.is_object()) {
      for (const json::Member& member : next.members()) open.push_back(&member.value);
    }
  }
  return nullptr;
}

// Does the same for the values of operations.
const Value* endless_value(const Value& operations) {
  if (!operations.is_array()) return nullptr;
  for (const Value& operation : operations.items()) {
    const Value* value = operation.find("value");
    if (const Value* number = value == nullptr ? nullptr : endless_number(*value)) return number;
  }
  return nullptr;
}

Result<void> check_numbers(const PatchDocument& patch) {
  if (patch.skips_validation() && patch.type != PatchType::kStrategic) return {};
  const bool is_json = patch.type == PatchType::kJson;
  const Value* number = is_json ? endless_value(patch.value) : endless_number(patch.value);
  if (number == nullptr) return {};
  return unreadable(
      patch, "json: cannot unmarshal number " + std::string(number->double_text()) + " into Go " +
                 (is_json ? "struct field jsonPatchOp.value" : "value") + " of type float64");
}

Result<Value> merge(const PatchDocument& patch, const Value& base, json::Arena& arena) {
  if (patch.skips_validation() && !patch.value.is_object()) {
    // An array replaces the object; decoding rejects the result.
    if (patch.value.is_array()) return patch.value;
    return errors::bad_request(kBadMergePatch);
  }
  return patch::apply_merge_patch(base, patch.value, arena);
}

}  // namespace

std::vector<std::string> duplicate_fields(const Value& tree) {
  std::vector<std::string> texts = json::duplicate_paths(tree, {}, schema::kMaxStrictErrors);
  for (std::string& text : texts) text = "duplicate field " + go_quote(text);
  return texts;
}

std::optional<PatchType> patch_type_named(std::string_view media) {
  if (media == "application/json-patch+json") return PatchType::kJson;
  if (media == "application/merge-patch+json") return PatchType::kMerge;
  if (media == "application/strategic-merge-patch+json") return PatchType::kStrategic;
  return std::nullopt;
}

Failure unknown_patch_type(const AcceptedPatchTypes& offered) {
  return errors::unsupported_media_type(
      "the body of the request was in an unknown format - accepted media types include: "
      "application/json-patch+json, application/merge-patch+json, " +
      std::string(offered.strategic ? "application/strategic-merge-patch+json, " : "") +
      "application/apply-patch+yaml" + (offered.cbor ? ", application/apply-patch+cbor" : ""));
}

Result<PatchDocument> read_patch(std::string_view body, PatchType type, FieldValidation validation,
                                 json::Arena& arena) {
  PatchDocument patch{.type = type, .validation = validation};
  const codec::JsonRead read = codec::read_json(body, arena);
  if (!read.ok()) return unreadable(patch, read.error);
  patch.value = read.value;
  TAB_CHECK(check_numbers(patch));
  if (type == PatchType::kJson) {
    patch.strict_errors = patch::json_patch_strict_errors(patch.value);
  } else {
    patch.strict_errors = duplicate_fields(patch.value);
    json::remove_duplicates(patch.value, arena);
  }
  return patch;
}

Result<PatchedObject> apply_patch(const PatchTarget& target, const PatchDocument& patch,
                                  const Value& base, json::Arena& arena) {
  const bool strict = patch.validation == FieldValidation::kStrict;
  if (patch.type == PatchType::kStrategic) {
    TAB_TRY(const Value merged,
            patch::apply_strategic_merge(*target.type, base, patch.value, arena));
    return decode_merged(target, merged, patch.value, {patch.strict_errors, strict}, arena);
  }
  auto patched =
      patch.type == PatchType::kMerge
          ? merge(patch, base, arena)
          : patch::apply_json_patch(base, patch.value, arena,
                                    patch.skips_validation() ? patch::OperationTypes::kUnchecked
                                                             : patch::OperationTypes::kChecked);
  if (!patched) return std::move(patched).error();
  return decode_patched(target, *patched, {patch.strict_errors, strict}, arena);
}

}  // namespace tabernetes::server
