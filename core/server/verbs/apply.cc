// PATCH with an apply configuration: server-side apply. Source: spec/patch-apply.md 6.10 to 6.15.

#include "codec/cbor_reader.h"
#include "codec/yaml.h"
#include "json/type_name.h"
#include "patch/scale_fields.h"
#include "registry/kind/kind_behaviour.h"
#include "registry/life/scale.h"
#include "registry/ownership/managed_fields.h"
#include "registry/ownership/object_versions.h"
#include "schema/decode.h"
#include "schema/unstructured.h"
#include "server/access/authorization.h"
#include "server/decode/body.h"
#include "server/encode/answer.h"
#include "server/request/options.h"
#include "server/verbs/verbs.h"

namespace tabernetes::server {
namespace {

using json::Value;

struct Configuration {
  Value value;
  std::vector<std::string> duplicates;  // duplicate YAML keys
};

Failure unreadable(const std::string& error) {
  return errors::bad_request("error decoding YAML: " + error);
}

// Errors call both formats YAML.
Result<Configuration> read_configuration(RequestContext& call, ApplyFormat format) {
  const std::string_view body = call.request.body;
  if (format == ApplyFormat::kCbor) {
    const codec::CborRead read = codec::read_cbor_map(body, call.arena);
    if (!read.ok()) return unreadable(read.error);
    return Configuration{read.value, {}};
  }
  codec::YamlRead read = codec::read_yaml(body, call.arena);
  if (!read.ok()) {
    return unreadable("error converting YAML to JSON: " + read.error);
  }
  if (read.value.is_null()) read.value = Value::object(call.arena);
  if (!read.value.is_object()) {
    return unreadable("error unmarshaling JSON: while decoding JSON: json: cannot unmarshal " +
                      std::string(json::go_type_name(read.value)) +
                      " into Go value of type map[string]interface {}");
  }
  return Configuration{read.value, std::move(read.duplicates)};
}

Result<void> judge_duplicates(RequestContext& call, FieldValidation validation,
                              const std::vector<std::string>& duplicates) {
  if (duplicates.empty() || validation != FieldValidation::kStrict) {
    return judge_strict_errors(call, validation, duplicates, "");
  }
  std::string text =
      "error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:";
  for (const std::string& duplicate : duplicates) text += "\n  " + duplicate;
  return errors::bad_request(std::move(text));
}

// The target of an apply: an object or its scale.
struct Target {
  registry::ObjectVersions versions;
  patch::Writer writer;
  const schema::Type& type;
};

Target target_of(const RequestContext& call, const registry::WriteContext& context) {
  patch::Writer writer = registry::writer_of(context, *call.type);
  if (!is_scale(call)) {
    return {registry::ObjectVersions(*call.type, call.resources, call.pending), std::move(writer),
            *call.type->resource->type};
  }
  writer.api_version = patch::kScaleVersion;
  writer.kind = call.subresource->kind;
  writer.reset = {};
  return {registry::ObjectVersions(*call.subresource->type), std::move(writer),
          *call.subresource->type};
}

// Returns the object after applying the configuration, with its managed fields.
Result<Value> applied(RequestContext& call, registry::ManagedFieldsCache& cache,
                      const Target& target, const Value& live, const Value& config) {
  json::Arena& arena = call.arena;
  const bool force = call.query.boolean("force").value_or(false);
  TAB_TRY(patch::ManagedFields entries,
          registry::decode_entries(live, "failed to decode managed fields: ", &cache));
  TAB_TRY(patch::Applied result,
          patch::apply_configuration(target.versions, registry::without_managed_fields(live, arena),
                                     config, std::move(entries), target.writer, force, arena));
  const schema::DecodeResult decoded =
      is_scale(call)
          ? schema::decode_typed(target.type, result.object, arena, schema::EmptyLists::kAsSent)
          : call.type->behaviour->decode(result.object, arena, registry::DecodeFor::kApply);
  if (!decoded.error.empty()) {
    return errors::plain_error(
        patch::unreadable_result(config, schema::as_converter_error(decoded.error)));
  }
  Value object = decoded.value;
  registry::set_entries(object, std::move(result.managed), arena, &cache);
  return object;
}

Failure uid_mismatch(const RequestContext& call, std::string_view uid) {
  return errors::conflict(call.type->group_resource(), call.name,
                          "uid mismatch: the provided object specified uid " + std::string(uid) +
                              ", and no existing object was found");
}

}  // namespace

Result<registry::Updated> apply(RequestContext& call, Cluster& cluster, ApplyFormat format,
                                const WriteOptions& options) {
  registry::WriteContext context = call.write_context(options.dry_run, options.field_manager);
  context.tracks_fields = false;
  context.applies = true;
  context.check_may_create = [&call] { return check_may_create(call); };
  const Target target = target_of(call, context);
  registry::ManagedFieldsCache& cache = cluster.registry.managed_fields_cache();
  const auto transform = [&](const Value* stored) -> Result<Value> {
    if (stored == nullptr && call.subresource != nullptr) {
      return errors::not_found(call.type->group_resource(), call.name);
    }
    TAB_TRY(const Configuration config, read_configuration(call, format));
    Value live;
    if (stored == nullptr) {
      live = target.versions.zero(target.writer.api_version, call.arena);
    } else if (is_scale(call)) {
      TAB_TRY(live,
              registry::scale_with_managed_fields(scaling_of(call, cluster, context), *stored));
    } else {
      live = *stored;
    }
    TAB_TRY(Value object, applied(call, cache, target, live, config.value));
    TAB_CHECK(judge_duplicates(call, options.field_validation, config.duplicates));
    const std::string_view uid = object.find("metadata")->string_at("uid");
    if (stored == nullptr && !uid.empty()) return uid_mismatch(call, uid);
    TAB_CHECK(agree_with_path(call, object, call.arena));
    if (!is_scale(call)) return object;
    return registry::apply_scale(scaling_of(call, cluster, context), *stored, object);
  };
  return cluster.registry.update(context, call.ref(), subresource_of(call), transform);
}

}  // namespace tabernetes::server
