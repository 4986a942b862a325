// Tested by tests/conformance/cases/field-validation.json.
#include "server/decode/patched_object.h"

#include "base/api/field_error.h"
#include "base/go/text.h"
#include "codec/json_writer.h"
#include "json/go_format.h"
#include "registry/kind/kind_behaviour.h"
#include "schema/decode.h"
#include "schema/unstructured.h"
#include "server/decode/body.h"
#include "server/decode/registered_kinds.h"

namespace tabernetes::server {
namespace {

using json::Value;

std::string json_of(const Value& patched) {
  std::string text;
  codec::write_json(patched, text, codec::Floats::kAsSent);
  return text;
}

Failure invalid_patch(const std::string& shown, const std::string& cause) {
  return field::invalid_status({}, "",
                               {field::invalid(field::Path("patch"), go_quote(shown), cause)});
}

// Returns a 422 that shows the whole object.
Failure unusable(const Value& patched, const std::string& cause) {
  return invalid_patch(json_of(patched), cause);
}

// Without a version Go decodes into the internal type, which has no JSON names: all fields are
// unknown.
schema::DecodeResult decode_without_version(const schema::Type& type, const Value& patched,
                                            json::Arena& arena) {
  schema::DecodeResult decoded = schema::decode_typed(type, Value::null(), arena);
  for (const json::Member& member : patched.members()) {
    if (member.key == "kind" || member.key == "apiVersion") continue;
    decoded.strict_errors.push_back("unknown field " + go_quote(member.key));
  }
  return decoded;
}

// Decodes as the kind named in the object. Errors: 422 if that is another kind.
Result<schema::DecodeResult> decode_as_named(const PatchTarget& target, const Value& patched,
                                             json::Arena& arena) {
  const Gvk& expected = target.gvk;
  const TypeMeta meta = read_type_meta(patched, {expected.group, {}, expected.kind});
  if (!meta.error.empty()) return unusable(patched, meta.error);
  const Gvk& named = meta.gvk;
  if (named.version.empty() && named.group == expected.group) {
    return decode_without_version(*target.type, patched, arena);
  }
  if (named.version.empty()) {
    return unusable(patched, missing_version(json_of(patched)));
  }
  const schema::Type* type = registered_object(target.catalogue, named);
  if (type == nullptr) return unusable(patched, not_registered(named));
  schema::DecodeResult decoded =
      schema::decode_typed(*type, patched, arena, schema::EmptyLists::kAsSent);
  if (decoded.error.empty() && named != expected) {
    decoded.error = unknown_conversion(type->version, type->kind, internal_type(expected));
  }
  if (!decoded.error.empty()) return unusable(patched, decoded.error);
  return decoded;
}

// Checks an object of a kind that is not built in. Errors: 422 if it names no kind.
Result<void> check_names_kind(const Value& patched) {
  const TypeMeta meta = read_type_meta(patched, {});
  if (!meta.error.empty()) return unusable(patched, meta.error);
  if (!meta.gvk.kind.empty()) return {};
  return unusable(patched, missing_kind(json_of(patched)));
}

// Rejects or passes on strict errors. `show` returns the text that a rejection shows.
template <class Show>
Result<PatchedObject> judged(schema::DecodeResult decoded, StrictPatch strict, Show show) {
  PatchedObject object{decoded.value, std::move(strict.errors)};
  std::vector<std::string>& all = object.strict_errors;
  all.insert(all.end(), decoded.strict_errors.begin(), decoded.strict_errors.end());
  if (!strict.refuse || all.empty()) return object;
  return invalid_patch(show(), strict_decoding_error(all));
}

}  // namespace

void keep_emptied_owners(const Value& sent, Value& object, json::Arena& arena) {
  const Value* owners = sent.at({"metadata", "managedFields"});
  Value* metadata = object.find("metadata");
  if (owners == nullptr || !owners->is_array() || owners->size() > 0 || metadata == nullptr) return;
  metadata->set(arena, "managedFields", Value::array(arena));
}

PatchTarget patch_target(const RequestContext& call) {
  const schema::Resource& resource = *call.type->resource;
  if (is_scale(call)) {
    const schema::Subresource& scale = *call.subresource;
    return {call.server.catalogue,
            {std::string(scale.group), std::string(scale.version), std::string(scale.kind)},
            scale.type};
  }
  return {call.server.catalogue,
          {std::string(resource.group), std::string(resource.version), std::string(resource.kind)},
          resource.type,
          call.type->form.typed ? nullptr : call.type->behaviour};
}

Result<PatchedObject> decode_patched(const PatchTarget& target, const Value& patched,
                                     StrictPatch strict, json::Arena& arena) {
  const bool own_kind = target.type != nullptr && target.untyped == nullptr;
  if (!own_kind) TAB_CHECK(check_names_kind(patched));
  schema::DecodeResult decoded{.value = patched};
  if (target.untyped != nullptr) {
    // Cloned, so that an error shows the object as sent.
    decoded = target.untyped->decode(patched.clone(arena), arena, registry::DecodeFor::kObject);
    if (!decoded.error.empty()) return unusable(patched, decoded.error);
  } else if (own_kind) {
    TAB_TRY(decoded, decode_as_named(target, patched, arena));
  }
  if (own_kind) keep_emptied_owners(patched, decoded.value, arena);
  return judged(std::move(decoded), std::move(strict), [&] { return json_of(patched); });
}

Result<PatchedObject> decode_merged(const PatchTarget& target, const Value& merged,
                                    const Value& patch, StrictPatch strict, json::Arena& arena) {
  const schema::Type& type = *target.type;
  std::string error = schema::convert_unstructured(type, merged);
  schema::DecodeResult decoded;
  if (error.empty()) {
    decoded = schema::decode_typed(type, merged, arena, schema::EmptyLists::kAsSent);
    error = schema::as_converter_error(std::move(decoded.error));
  }
  if (!error.empty()) return invalid_patch(json::go_format(patch), error);
  keep_emptied_owners(merged, decoded.value, arena);
  TAB_TRY(PatchedObject object,
          judged(std::move(decoded), std::move(strict), [&] { return json::go_format(patch); }));
  object.object.set(arena, "apiVersion", Value::string(arena.copy(target.gvk.api_version())));
  object.object.set(arena, "kind", Value::string(arena.copy(target.gvk.kind)));
  return object;
}

}  // namespace tabernetes::server
