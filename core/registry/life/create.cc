// Creates objects. Order of the steps: spec/lifecycle.md 1.1.

#include <string>

#include "base/go/text.h"
#include "base/time/rfc3339.h"
#include "codec/json_reader.h"
#include "registry/kind/kind_behaviour.h"
#include "registry/life/generation.h"
#include "registry/life/registry.h"
#include "registry/life/write.h"
#include "registry/meta/object_meta.h"
#include "registry/meta/object_meta_validation.h"
#include "registry/meta/owner_references.h"

namespace tabernetes::registry {
namespace {

using json::Value;

constexpr int kNameAttempts = 8;
constexpr std::size_t kMaxGeneratedPrefix = 58;

// Removes the fields that a client may not set. Source: spec/lifecycle.md 1.1 step 3, 1.2.
void wipe_system_fields(const WriteContext& context, ObjectMeta& meta) {
  if (context.origin == Origin::kClient) {
    meta.erase("uid");
    meta.erase("creationTimestamp");
  }
  meta.erase("selfLink");
  meta.erase("resourceVersion");
  if (context.creates_by_update) return;
  meta.erase("deletionTimestamp");
  meta.erase("deletionGracePeriodSeconds");
}

void set_system_fields(const WriteContext& context, ObjectMeta& meta, Entropy& entropy) {
  if (meta.uid().empty()) meta.set("uid", make_uid(entropy));
  if (meta.get("creationTimestamp").empty()) {
    meta.set("creationTimestamp", format_rfc3339(context.now));
  }
}

void set_initial_status(const WriteContext& context, const ResourceType& type, Value& object) {
  json::Arena& arena = context.arena;
  if (!type.has_status() || type.strategy->keeps_status_on_create) return;
  const Value* given = object.find("status");
  if (context.origin == Origin::kManifest && given != nullptr && given->size() > 0) return;
  object.erase("status");
  if (type.strategy->initial_status.empty()) return;
  object.set(arena, "status", codec::read_json(type.strategy->initial_status, arena).value);
}

bool is_version(std::string_view text) {
  const GoParsedUint parsed = go_parse_uint(text);
  return parsed.error.empty() && parsed.value != 0;
}

}  // namespace

field::ErrorList create_errors(const ResourceType& type, const Change& change,
                               std::vector<std::string>* warnings) {
  field::ErrorList errors;
  if (!type.behaviour->check_identity(change.object, errors)) return errors;
  errors = validate_object_meta(*metadata_of(change.object), meta_rules(type, change.capabilities));
  type.behaviour->validate(change, errors, warnings);
  return errors;
}

Result<void> set_request_namespace(const ResourceType& type, std::string_view ns,
                                   ObjectMeta& meta) {
  if (!type.resource->namespaced) {
    meta.erase("namespace");
    return {};
  }
  if (!meta.ns().empty() && meta.ns() != ns) {
    return errors::bad_request(
        "the namespace of the provided object does not match the namespace "
        "sent on the request");
  }
  meta.set("namespace", ns);
  return {};
}

Result<store::RecordPtr> Registry::create(const WriteContext& context, const ResourceType& type,
                                          std::string_view ns, Value object) {
  ObjectMeta meta(object, context.arena);
  TAB_CHECK(type.behaviour->check_creatable(meta.name()));
  TAB_CHECK(set_request_namespace(type, ns, meta));
  const std::string version(meta.resource_version());
  wipe_system_fields(context, meta);
  // The store rejects it; a dry run, which does not reach the store, returns it.
  if (is_version(version)) meta.set("resourceVersion", version);
  type.behaviour->apply_defaults(hook_context(context), object);
  update_managed_fields(context, type, object, nullptr);
  // Runs once, before a name is generated, even if several names are tried.
  const std::string given(ObjectMeta(object, context.arena).name());
  const AdmissionRequest admission{*this, context, Operation::kCreate, type, Subresource::kNone, ns,
                                   given, object};
  TAB_CHECK(mutate(admission));
  drop_equal_owners(object, OwnersSeen::kAfterMutatingAdmission, context.warnings, context.arena);
  meta = ObjectMeta(object, context.arena);  // it may have moved
  TAB_CHECK(set_request_namespace(type, ns, meta));
  if (context.origin == Origin::kClient) {
    meta.erase("uid");
    meta.erase("creationTimestamp");
  }
  set_system_fields(context, meta, entropy_);

  const std::string_view prefix = meta.get("generateName");
  if (!meta.name().empty() || prefix.empty()) return create_named(admission);
  std::string name;
  for (int attempt = 0; attempt < kNameAttempts; ++attempt) {
    name = std::string(prefix.substr(0, kMaxGeneratedPrefix)) + make_name_suffix(entropy_);
    Value named = object;
    ObjectMeta(named, context.arena).set("name", name);
    auto created = create_named(
        {*this, context, Operation::kCreate, type, Subresource::kNone, ns, name, named});
    if (created || created.error().reason != "AlreadyExists") return created;
  }
  return errors::generate_name_conflict(type.group_resource(), name);
}

void Registry::prepare_create(const HookContext& hook, const AdmissionRequest& request) {
  const ResourceType& type = request.type;
  Value& object = request.object;
  set_initial_status(request.context, type, object);
  start_generation(*type.strategy, object, hook.arena);
  drop_gated_fields(type, object, nullptr, hook.arena);
  if (type.strategy->prepare_for_create != nullptr) type.strategy->prepare_for_create(hook, object);
  object = redecode(type, object, hook.arena);
}

Result<void> Registry::validate_create(const HookContext& hook, const AdmissionRequest& request) {
  const ResourceType& type = request.type;
  const Change change{Subresource::kNone, request.object, nullptr, capabilities_};
  const field::ErrorList errors = create_errors(type, change, hook.warnings);
  if (!errors.empty()) {
    return invalid(type, request.object, metadata_of(request.object)->string_at("name"), errors);
  }
  warn(request.context, type, change);
  return {};
}

Result<void> Registry::check_storable(const AdmissionRequest& request) const {
  const Value& metadata = *metadata_of(request.object);
  if (!metadata.string_at("resourceVersion").empty() && !request.context.dry_run) {
    return errors::plain_error("resourceVersion should not be set on objects to be created");
  }
  const std::string_view name = metadata.string_at("name");
  const store::RecordPtr existing = store_.get(request.type.key(request.ns, name));
  if (existing == nullptr) return {};
  Failure failure = errors::already_exists(request.type.group_resource(), std::string(name));
  if (offsets_of(*existing).terminating) failure->message.insert(0, "object is being deleted: ");
  return failure;
}

Result<store::RecordPtr> Registry::create_named(const AdmissionRequest& request) {
  const WriteContext& context = request.context;
  const ResourceType& type = request.type;
  const Value& object = request.object;
  const HookContext hook = hook_context(context);
  prepare_create(hook, request);
  // Upstream allocates before validation. The allocation takes effect only when the object is
  // stored.
  TAB_CHECK(allocate(context, type, request.object, nullptr));
  TAB_CHECK(validate_create(hook, request));
  if (context.check_may_create) TAB_CHECK(context.check_may_create());
  TAB_CHECK(validate(request));
  TAB_CHECK(check_storable(request));
  const ObjectRef ref{&type, request.ns, metadata_of(object)->string_at("name")};
  TAB_TRY(store::RecordPtr record, write(context, ref, object, nullptr));
  tell_kind(hook, type, nullptr, object);
  return record;
}

}  // namespace tabernetes::registry
