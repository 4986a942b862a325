// Tested by tests/conformance/cases/field-validation.json.
#include "server/patched_object.h"

#include "base/field_error.h"
#include "base/go_text.h"
#include "codec/json_writer.h"
#include "schema/decode.h"
#include "server/body.h"
#include "server/registered_kinds.h"
#include "server/verbs.h"

namespace tabernetes::server {
namespace {

using json::Value;

std::string json_of(const Value& patched) {
  std::string text;
  codec::write_json(patched, text);
  return text;
}

// 422 that shows the object whole.
ApiStatus unusable(const Value& patched, const std::string& cause) {
  const field::Error error =
      field::invalid(field::Path("patch"), go_quote(json_of(patched)), cause);
  return field::invalid_status({}, "", {error});
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) {
    if (!all.empty()) all += ", ";
    all += text;
  }
  return all;
}

// What is patched: the call's object, or its subresource's.
Gvk patched_kind(const Call& call) {
  if (is_scale(call)) {
    const schema::Subresource& scale = *call.subresource;
    return {std::string(scale.group), std::string(scale.version), std::string(scale.kind)};
  }
  const schema::Resource& resource = *call.type->resource;
  return {std::string(resource.group), std::string(resource.version), std::string(resource.kind)};
}

// Without a version Go takes the object for its internal type, which knows no field by a JSON name.
schema::DecodeResult decode_without_version(const schema::Type& type, const Value& patched,
                                            json::Arena& arena) {
  schema::DecodeResult decoded = schema::decode_typed(type, Value::null(), arena);
  for (const json::Member& member : patched.members()) {
    if (member.key == "kind" || member.key == "apiVersion") continue;
    decoded.strict_errors.push_back("unknown field " + go_quote(member.key));
  }
  return decoded;
}

// As what it says it is. Errors: 422 if that is another kind.
Result<schema::DecodeResult> decode_as_named(Call& call, const Value& patched) {
  const Gvk expected = patched_kind(call);
  const schema::Catalogue& catalogue = call.surface.catalogue;
  const TypeMeta meta = read_type_meta(patched, {expected.group, {}, expected.kind});
  if (!meta.error.empty()) return make_unexpected(unusable(patched, meta.error));
  const Gvk& named = meta.gvk;
  if (named.version.empty() && named.group == expected.group) {
    const schema::Type* type = catalogue.find_kind(expected.group, expected.version, expected.kind);
    return decode_without_version(*type, patched, call.arena);
  }
  if (named.version.empty()) {
    return make_unexpected(unusable(patched, missing_version(json_of(patched))));
  }
  const schema::Type* type = registered_object(catalogue, named);
  if (type == nullptr) return make_unexpected(unusable(patched, not_registered(named)));
  schema::DecodeResult decoded = schema::decode_typed(*type, patched, call.arena);
  if (decoded.error.empty() && named != expected) {
    decoded.error = unknown_conversion(type->version, type->kind, internal_type(expected));
  }
  if (!decoded.error.empty()) return make_unexpected(unusable(patched, decoded.error));
  return decoded;
}

}  // namespace

Result<Value> decode_patched(Call& call, const Value& patched, std::vector<std::string> strict,
                             FieldValidation validation) {
  TAB_TRY(const schema::DecodeResult decoded, decode_as_named(call, patched));
  strict.insert(strict.end(), decoded.strict_errors.begin(), decoded.strict_errors.end());
  if (validation == FieldValidation::kStrict && !strict.empty()) {
    return make_unexpected(unusable(patched, "strict decoding error: " + joined(strict)));
  }
  TAB_CHECK(judge_strict_errors(call, validation, strict, ""));
  return decoded.value;
}

}  // namespace tabernetes::server
