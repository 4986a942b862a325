// Tested by tests/conformance/cases/field-validation.json.
#include "server/patched_object.h"

#include "base/field_error.h"
#include "base/go_text.h"
#include "codec/json_writer.h"
#include "json/go_format.h"
#include "schema/decode.h"
#include "schema/unstructured.h"
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

ApiStatus invalid_patch(const std::string& shown, const std::string& cause) {
  return field::invalid_status({}, "",
                               {field::invalid(field::Path("patch"), go_quote(shown), cause)});
}

// 422 that shows the object whole.
ApiStatus unusable(const Value& patched, const std::string& cause) {
  return invalid_patch(json_of(patched), cause);
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
    return decode_without_version(patched_type(call), patched, call.arena);
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

// Refuses or warns of what strict decoding found. `show` is what a refusal shows.
template <class Show>
Result<void> judge(Call& call, const std::vector<std::string>& strict, FieldValidation validation,
                   Show show) {
  if (validation == FieldValidation::kStrict && !strict.empty()) {
    return make_unexpected(invalid_patch(show(), strict_decoding_error(strict)));
  }
  return judge_strict_errors(call, validation, strict, "");
}

}  // namespace

const schema::Type& patched_type(const Call& call) {
  const Gvk kind = patched_kind(call);
  return *call.surface.catalogue.find_kind(kind.group, kind.version, kind.kind);
}

Result<Value> decode_patched(Call& call, const Value& patched, std::vector<std::string> strict,
                             FieldValidation validation) {
  TAB_TRY(const schema::DecodeResult decoded, decode_as_named(call, patched));
  strict.insert(strict.end(), decoded.strict_errors.begin(), decoded.strict_errors.end());
  TAB_CHECK(judge(call, strict, validation, [&] { return json_of(patched); }));
  return decoded.value;
}

Result<Value> decode_merged(Call& call, const Value& merged, const Value& patch,
                            std::vector<std::string> strict, FieldValidation validation) {
  const schema::Type& type = patched_type(call);
  if (const std::string error = schema::unstructured_error(type, merged); !error.empty()) {
    return make_unexpected(invalid_patch(json::go_format(patch), error));
  }
  schema::DecodeResult decoded = schema::decode_typed(type, merged, call.arena);
  if (!decoded.error.empty()) {
    return make_unexpected(invalid_patch(json::go_format(patch), decoded.error));
  }
  strict.insert(strict.end(), decoded.strict_errors.begin(), decoded.strict_errors.end());
  TAB_CHECK(judge(call, strict, validation, [&] { return json::go_format(patch); }));
  const Gvk kind = patched_kind(call);
  const std::string version = GroupVersion{kind.group, kind.version}.to_string();
  decoded.value.set(call.arena, "apiVersion", Value::string(call.arena.copy(version)));
  decoded.value.set(call.arena, "kind", Value::string(call.arena.copy(kind.kind)));
  return decoded.value;
}

}  // namespace tabernetes::server
