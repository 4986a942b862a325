// Tested by tests/core/standalone/patching_test.cc and tests/package/patch.test.mjs.
#include <optional>
#include <utility>

#include "base/api/field_error.h"
#include "base/go/text.h"
#include "base/time/rfc3339.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "json/duplicates.h"
#include "json/equality.h"
#include "json/type_name.h"
#include "kinds/table/built_in_kind.h"
#include "patch/field_manager.h"
#include "patch/field_owners.h"
#include "registry/ownership/managed_fields.h"
#include "registry/ownership/object_versions.h"
#include "schema/decode.h"
#include "server/decode/patch_document.h"
#include "server/decode/raw_body.h"
#include "server/decode/type_meta.h"
#include "server/encode/fault.h"
#include "tabernetes/standalone.h"

namespace tabernetes {
namespace {

using json::Value;
using server::PatchDocument;
using server::PatchType;

const schema::Catalogue& catalogue() { return schema::Catalogue::built_in(); }

// An existing object, in its typed form if its kind is built in.
struct Known {
  Value object;
  const schema::Type* type = nullptr;
};

Result<Known> read_known(std::string_view text, json::Arena& arena) {
  const codec::JsonRead read = codec::read_json(text, arena);
  if (!read.ok()) return errors::bad_request(read.error);
  if (!read.value.is_object()) {
    return errors::bad_request("an object is expected");
  }
  Known known{read.value, schema::type_of_object(catalogue(), read.value)};
  json::remove_duplicates(known.object, arena);
  if (known.type == nullptr) return known;
  const schema::DecodeResult decoded = schema::decode_typed(*known.type, known.object, arena);
  if (!decoded.error.empty()) return errors::bad_request(decoded.error);
  known.object = decoded.value;
  return known;
}

server::PatchTarget target_of(const Known& known) {
  return {catalogue(), server::read_type_meta(known.object, {}).gvk, known.type};
}

const registry::ResourceTable& resources() {
  static const registry::ResourceTable table(catalogue(), registry::built_in_kinds());
  return table;
}

// Returns null if objects of this kind are not known to be stored.
const registry::ResourceType* resource_of(const server::Gvk& gvk) {
  return resources().find_kind(gvk.group, gvk.version, gvk.kind);
}

// Returns the object as it would be stored.
std::string stored_form(const schema::Type* type, const Value& object, json::Arena& arena) {
  return codec::json_text(type == nullptr ? object
                                          : schema::decode_typed(*type, object, arena).value);
}

// Records the patch in managedFields, if the object has any and a manager is given.
void track(const Value& live, Value& object, const PatchOptions& options, json::Arena& arena) {
  const auto* type = resource_of(server::read_type_meta(object, {}).gvk);
  if (type == nullptr || options.manager.empty() || registry::managed_fields_of(live).empty())
    return;
  const registry::WriteContext context{.arena = arena,
                                       .now = options.now,
                                       .manager = std::string(options.manager),
                                       .subresource = options.subresource};
  registry::track_managed_fields(context, registry::ObjectVersions(*type, resources(), nullptr),
                                 registry::writer_of(context, *type), object, &live);
  registry::restore_unchanged_times(object, live, arena);
}

// The kind of an object that is not built in must not change. Errors: 422.
Result<void> check_same_kind(const server::PatchTarget& target, const Value& patched) {
  if (target.type != nullptr) return {};
  const server::Gvk named = server::read_type_meta(patched, {}).gvk;
  const auto must_be = [&](std::string_view what, const std::string& is, const std::string& must) {
    const Value* metadata = patched.find("metadata");
    return field::invalid_status(
        {named.group, named.kind}, metadata == nullptr ? "" : metadata->string_at("name"),
        {field::invalid(field::Path(std::string(what)), go_quote(is), "must be " + must)});
  };
  if (named.kind != target.gvk.kind) return must_be("kind", named.kind, target.gvk.kind);
  if (named != target.gvk) {
    return must_be("apiVersion", named.api_version(), target.gvk.api_version());
  }
  return {};
}

Result<Patched> try_patch(std::string_view object, std::string_view patch,
                          const PatchOptions& options) {
  json::Arena arena;
  const auto type = server::patch_type_named(options.media_type);
  TAB_TRY(const Known known, read_known(object, arena));
  if (!type || (known.type == nullptr && *type == PatchType::kStrategic)) {
    return server::unknown_patch_type({.strategic = known.type != nullptr});
  }
  const auto validation = options.unknown == UnknownFields::kRefuse
                              ? server::FieldValidation::kStrict
                              : server::FieldValidation::kWarn;
  TAB_TRY(const PatchDocument document, server::read_patch(patch, *type, validation, arena));
  TAB_TRY(server::PatchedObject patched,
          server::apply_patch(target_of(known), document, known.object, arena));
  TAB_CHECK(check_same_kind(target_of(known), patched.object));
  track(known.object, patched.object, options, arena);
  return Patched{stored_form(known.type, patched.object, arena), std::move(patched.strict_errors)};
}

Result<Value> read_configuration(std::string_view text, json::Arena& arena) {
  const auto encoding = text.find_first_not_of(" \t\r\n") != std::string_view::npos &&
                                text[text.find_first_not_of(" \t\r\n")] == '{'
                            ? codec::Encoding::kJson
                            : codec::Encoding::kYaml;
  const server::RawBody body = server::read_raw_body(text, encoding, arena);
  if (!body.error.empty()) {
    return errors::bad_request("error encoding patch: " + body.error);
  }
  if (body.value.is_object() || body.value.is_null()) return body.value;
  return errors::bad_request(
      "error decoding patch: error unmarshaling JSON: while decoding JSON: "
      "json: cannot unmarshal " +
      std::string(json::go_type_name(body.value)) +
      " into Go value of type map[string]interface {}");
}

Failure without_manager() {
  return field::invalid_status(
      {"meta.k8s.io", "PatchOptions"}, "",
      {field::required(field::Path("fieldManager"), "is required for apply patch")});
}

// Returns the version of the live object's kind in which the configuration is applied.
const registry::ResourceType* applied_type(const Value& live, const Value& config) {
  const server::Gvk of_live = server::read_type_meta(live, {}).gvk;
  const server::Gvk of_config = server::read_type_meta(config, {}).gvk;
  const auto* type = resource_of({of_config.group, of_config.version, of_live.kind});
  return type != nullptr ? type : resource_of(of_live);
}

// The fields of `conflicts` are views of texts in `arena`.
Result<Applied> try_apply(std::string_view live_text, std::string_view config_text,
                          const ApplyOptions& options, json::Arena& arena,
                          std::vector<patch::Conflict>& conflicts) {
  if (options.manager.empty()) return without_manager();
  TAB_TRY(const Value config, read_configuration(config_text, arena));
  Known live{.object = config};
  if (!live_text.empty()) {
    TAB_TRY(live, read_known(live_text, arena));
  }
  const registry::ResourceType* type = applied_type(live.object, config);
  if (type == nullptr) {
    return errors::bad_request("no schema is known of this kind of object");
  }
  const registry::ObjectVersions versions(*type, resources(), nullptr);
  const Value base = live_text.empty() ? versions.zero(type->api_version, arena)
                                       : versions.convert(live.object, type->api_version, arena);
  const registry::WriteContext context{.arena = arena,
                                       .now = options.now,
                                       .manager = std::string(options.manager),
                                       .subresource = options.subresource};
  TAB_TRY(patch::ManagedFields entries,
          registry::decode_entries(base, "failed to decode managed fields: "));
  TAB_TRY(patch::Applied applied,
          patch::apply_configuration(
              versions, registry::without_managed_fields(base, arena), config, std::move(entries),
              registry::writer_of(context, *type), options.force, arena, &conflicts));
  Value object = schema::decode_typed(*type->resource->type, applied.object, arena).value;
  const bool changed = !json::deep_equal(object, registry::without_managed_fields(base, arena));
  registry::set_entries(object, std::move(applied.managed), arena);
  registry::restore_unchanged_times(object, base, arena);
  return Applied{stored_form(type->resource->type, object, arena), changed};
}

FieldManager manager_of(const patch::ManagedFieldsEntry& entry) {
  return {entry.manager, std::string(patch::name_of(entry.operation)), entry.api_version,
          entry.subresource, entry.time ? format_rfc3339(*entry.time) : std::string()};
}

Result<std::vector<OwnedField>> try_owners(std::string_view text) {
  json::Arena arena;
  TAB_TRY(const Known known, read_known(text, arena));
  const Value* list = known.object.at({"metadata", "managedFields"});
  const auto entries = patch::read_managed_fields(list == nullptr ? Value::null() : *list);
  if (!entries) {
    return errors::bad_request("metadata.managedFields cannot be read");
  }
  std::vector<OwnedField> owners;
  const auto shape =
      known.type == nullptr ? std::nullopt : std::optional(patch::Shape::of_type(*known.type));
  for (patch::OwnedField& field : patch::owned_fields(*entries, known.object, shape)) {
    OwnedField owned{std::move(field.path), std::move(field.pointer), {}};
    for (const patch::ManagedFieldsEntry* owner : field.owners) {
      owned.managers.push_back(manager_of(*owner));
    }
    owners.push_back(std::move(owned));
  }
  return owners;
}

ApplyConflict conflict_of(const patch::Conflict& found) {
  ApplyConflict conflict{manager_of(found.owner), {}, found.message()};
  found.fields.for_each(
      [&](const patch::Path& path) { conflict.fields.push_back(patch::path_text(path)); });
  return conflict;
}

// Returns the result, or the fault in its place.
template <class T>
Expected<T> finished(Result<T> result) {
  if (result) return std::move(*result);
  return server::fault_of(result.error());
}

}  // namespace

Expected<Patched> apply_patch(std::string_view object, std::string_view patch,
                              const PatchOptions& options) {
  return finished(try_patch(object, patch, options));
}

Expected<Applied, ApplyFault> server_side_apply(std::string_view live, std::string_view config,
                                                const ApplyOptions& options) {
  json::Arena arena;
  std::vector<patch::Conflict> conflicts;
  Result<Applied> applied = try_apply(live, config, options, arena, conflicts);
  if (applied) return std::move(*applied);
  ApplyFault fault{server::fault_of(applied.error()), {}};
  for (const patch::Conflict& found : conflicts) fault.conflicts.push_back(conflict_of(found));
  return fault;
}

Expected<std::vector<OwnedField>> field_owners(std::string_view object) {
  return finished(try_owners(object));
}

}  // namespace tabernetes
