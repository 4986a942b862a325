// Replaces objects, for PUT and PATCH. Order of the steps: spec/lifecycle.md 2.1.

#include "base/go/text.h"
#include "base/text/parts.h"
#include "json/fill.h"
#include "registry/kind/kind_behaviour.h"
#include "registry/life/generation.h"
#include "registry/life/registry.h"
#include "registry/life/scale.h"
#include "registry/life/write.h"
#include "registry/meta/object_meta.h"
#include "registry/meta/object_meta_validation.h"
#include "registry/meta/owner_references.h"
#include "registry/ownership/managed_fields.h"

namespace tabernetes::registry {
namespace {

using json::Member;
using json::Value;

constexpr std::string_view kModified =
    "the object has been modified; please apply your changes to the latest version and try again";

// For writes to subresources, which do not increment the generation.
constexpr Strategy kNoGeneration{};

// Restores the fields that an update cannot change.
void keep_system_fields(Value& object, const Value& stored, json::Arena& arena) {
  ObjectMeta meta(object, arena);
  const Value* old = metadata_of(stored);
  meta.take("creationTimestamp", old);
  meta.take("generation", old);
  meta.erase("selfLink");
  if (meta.uid().empty()) meta.take("uid", old);
  if (old->find("deletionTimestamp") != nullptr) {
    meta.take("deletionTimestamp", old);
    if (!meta.integer("deletionGracePeriodSeconds")) meta.take("deletionGracePeriodSeconds", old);
  }
}

// Completes the metadata of an object from a manifest: its own uid and time of creation win, those
// of the stored object fill gaps. An object that was being deleted exists again.
void complete_from_stored(Value& object, const Value& stored, json::Arena& arena) {
  ObjectMeta meta(object, arena);
  const Value* old = metadata_of(stored);
  if (meta.get("creationTimestamp").empty()) meta.take("creationTimestamp", old);
  if (meta.uid().empty()) meta.take("uid", old);
  meta.take("generation", old);
  for (const std::string_view field :
       {"deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"}) {
    meta.erase(field);
  }
}

// `/status` changes the status and, for most kinds, user metadata.
Value with_status_of(const ResourceType& type, const Value& stored, const Value& wanted,
                     json::Arena& arena) {
  Value object = stored.clone(arena);
  take_member(object, wanted, "status", arena);
  if (type.strategy->status_keeps_metadata) {
    ObjectMeta kept(object, arena);
    std::string_view names = type.strategy->status_metadata;
    while (!names.empty()) kept.take(take_part(names, ' '), metadata_of(wanted));
    return object;
  }
  take_member(object, wanted, "metadata", arena);
  ObjectMeta meta(object, arena);
  if (type.strategy->status_keeps_labels) meta.take("labels", metadata_of(stored));
  if (type.strategy->graceful_deletion) meta.take("ownerReferences", metadata_of(stored));
  return object;
}

// `/finalize` changes everything except the status, including a namespace's finalizers.
Value with_finalizers_of(const Value& stored, const Value& wanted, json::Arena& arena) {
  Value object = stored.clone(arena);
  take_member(object, wanted, "spec", arena);
  take_member(object, wanted, "metadata", arena);
  return object;
}

// Returns true for a write to a scale.
bool is_scaling(const AdmissionRequest& request) { return request.context.subresource == "scale"; }

// Restores from the stored object everything that the subresource of the request does not contain.
void restore_other_parts(const HookContext& hook, const AdmissionRequest& request) {
  const Subresource part = request.subresource;
  if (part == Subresource::kNone) return;
  const Value wanted = request.object;
  const Value& stored = *request.old;
  Value& object = request.object;
  if (part == Subresource::kStatus) {
    object = with_status_of(request.type, stored, wanted, hook.arena);
  }
  if (part == Subresource::kFinalize) object = with_finalizers_of(stored, wanted, hook.arena);
  if (request.type.strategy->prepare_subresource != nullptr) {
    request.type.strategy->prepare_subresource(hook, part, object, stored);
  }
  ObjectMeta(object, hook.arena).take("managedFields", metadata_of(wanted));
}

// Returns the strategy that says which changes of the request increment the generation.
const Strategy& counting_strategy(const AdmissionRequest& request) {
  const bool counts =
      request.subresource != Subresource::kStatus && request.subresource != Subresource::kFinalize;
  return counts ? *request.type.strategy : kNoGeneration;
}

// Returns true if a terminating object is no longer held by anything.
bool is_ready_to_delete(const ResourceType& type, const Value& object, const Value& stored,
                        json::Arena& arena) {
  Value now = object;
  Value before = stored;
  const ObjectMeta meta(now, arena);
  const ObjectMeta old(before, arena);
  if (!old.terminating() || meta.has_finalizers()) return false;
  if (old.integer("deletionGracePeriodSeconds").value_or(0) != 0) return false;
  return type.strategy->blocks_deletion == nullptr || !type.strategy->blocks_deletion(object);
}

field::ErrorList update_errors(const ResourceType& type, const Change& change,
                               std::vector<std::string>* warnings) {
  const Value& metadata = *metadata_of(change.object);
  const Value& old = *metadata_of(*change.old);
  field::ErrorList unlike;
  if (!type.behaviour->check_identity(change.object, unlike)) {
    field::ErrorList errors = validate_any_meta_update(metadata, old);
    errors.insert(errors.end(), unlike.begin(), unlike.end());
    return errors;
  }
  field::ErrorList errors = validate_object_meta_update(
      metadata, old, meta_rules(type, change.capabilities), change.subresource);
  type.behaviour->validate(change, errors, warnings);
  return errors;
}

}  // namespace

Result<void> Registry::check_version(const ObjectRef& ref, const Stored& stored,
                                     const Value& object) const {
  const Value* metadata = metadata_of(object);
  const std::string_view text =
      metadata == nullptr ? std::string_view() : metadata->string_at("resourceVersion");
  if (text.empty() || text == "0") {
    if (ref.type->strategy->allow_unconditional_update) return {};
    // The error names the resource instead of the kind, as the real server's does.
    return field::invalid_status(ref.type->group_resource(), ref.name,
                                 {field::invalid(field::Path("metadata.resourceVersion"), "0",
                                                 "must be specified for an update")});
  }
  const GoParsedUint version = go_parse_uint(text);
  if (!version.error.empty()) return errors::plain_error(version.error);
  if (version.value != stored.record->revision) {
    return errors::conflict(ref.type->group_resource(), ref.name, kModified);
  }
  return {};
}

// The admission of a write to a scale sees the Scale: apply_scale() runs the mutating phase, and
// the validating phase gets the Scale of the object. The validating phase sees the version that an
// update without one replaces.
Result<void> Registry::run_mutating_admission(const AdmissionRequest& request) const {
  return is_scaling(request) ? Result<void>() : mutate(request);
}

Result<void> Registry::run_validating_admission(const AdmissionRequest& request) const {
  json::Arena& arena = request.context.arena;
  if (!is_scaling(request)) {
    ObjectMeta meta(request.object, arena);
    const std::string_view version = meta.resource_version();
    if (request.context.user != nullptr && (version.empty() || version == "0")) {
      meta.take("resourceVersion", metadata_of(*request.old));
    }
    return validate(request);
  }
  Value scale = scale_of(request.type, request.object, arena);
  const Value before = scale_of(request.type, *request.old, arena);
  return validate({request.registry, request.context, request.operation, request.type,
                   request.subresource, request.ns, request.name, scale, &before});
}

void Registry::prepare_update(const HookContext& hook, const AdmissionRequest& request) {
  const ResourceType& type = request.type;
  Value& object = request.object;
  const Value& stored = *request.old;
  const bool whole = request.subresource == Subresource::kNone;
  const bool loads = request.context.origin == Origin::kManifest;
  const auto set_system_fields = loads ? &complete_from_stored : &keep_system_fields;
  set_system_fields(object, stored, hook.arena);
  if (whole && type.has_status() && !loads) take_member(object, stored, "status", hook.arena);
  drop_gated_fields(type, object, &stored, hook.arena);
  if (whole && type.strategy->prepare_for_update != nullptr) {
    type.strategy->prepare_for_update(hook, object, stored);
  }
  object = redecode(type, object, hook.arena);
  if (bump_generation(counting_strategy(request), object, stored, hook.arena)) {
    object = redecode(type, object, hook.arena);
  }
  restore_unchanged_times(object, stored, hook.arena);
}

Result<void> Registry::validate_update(const HookContext& hook, const AdmissionRequest& request) {
  // A manifest replaces an object as if it were new, even what an update cannot change.
  const bool loads = request.context.origin == Origin::kManifest;
  const Change change{request.subresource, request.object, loads ? nullptr : request.old,
                      capabilities_};
  const auto errors_of = loads ? &create_errors : &update_errors;
  const field::ErrorList errors = errors_of(request.type, change, hook.warnings);
  if (!errors.empty()) return invalid(request.type, request.object, request.name, errors);
  warn(request.context, request.type, change);
  return {};
}

Result<Updated> Registry::create_by_update(const WriteContext& context, const ObjectRef& ref,
                                           Subresource subresource, const Transform& transform,
                                           Failure not_found) {
  TAB_TRY(Value object, transform(nullptr));
  const bool creates = ref.type->strategy->allow_create_on_update || context.applies;
  if (subresource != Subresource::kNone || !creates) return not_found;
  ObjectMeta(object, context.arena).erase("resourceVersion");
  WriteContext creating = context;
  creating.creates_by_update = true;
  TAB_TRY(store::RecordPtr created, create(creating, *ref.type, ref.ns, object));
  return Updated{std::move(created), true};
}

Result<Updated> Registry::remove_by_update(const WriteContext& context, const ObjectRef& ref,
                                           const Value& object, const Stored& stored) {
  // The response shows the requested object at the stored version.
  TAB_TRY(EncodedWrite last, encode_write(context, *ref.type, object, VersionMember::kPresent));
  store::RecordPtr shown =
      last.shown_as(make_record(std::move(last.stored), stored.record->revision));
  TAB_CHECK(finish_removal(context, ref, stored, {}));
  return Updated{std::move(shown), false};
}

Result<Updated> Registry::update(const WriteContext& context, const ObjectRef& ref,
                                 Subresource subresource, const Transform& transform) {
  const ResourceType& type = *ref.type;
  auto found = load(context, ref);
  if (!found && found.error().code == 404) {
    return create_by_update(context, ref, subresource, transform, std::move(found).error());
  }
  if (!found) return std::move(found).error();
  const Stored& stored = *found;
  const ManagedFieldsCache::Write at_hand(managed_fields_cache(), stored.record, stored.object);
  const HookContext hook = hook_context(context);

  TAB_TRY(Value object, transform(&stored.object));
  const AdmissionRequest request{*this,    context, Operation::kUpdate, type, subresource, ref.ns,
                                 ref.name, object,  &stored.object};
  type.behaviour->apply_defaults(hook, object);
  update_managed_fields(context, type, object, &stored.object);
  TAB_CHECK(run_mutating_admission(request));
  drop_equal_owners(object, OwnersSeen::kAfterMutatingAdmission, context.warnings, context.arena);
  restore_other_parts(hook, request);
  TAB_CHECK(check_version(ref, stored, object));
  prepare_update(hook, request);
  if (subresource == Subresource::kNone) TAB_CHECK(allocate(context, type, object, &stored.object));
  TAB_CHECK(validate_update(hook, request));
  TAB_CHECK(run_validating_admission(request));
  if (context.origin != Origin::kManifest &&
      is_ready_to_delete(type, object, stored.object, context.arena)) {
    return remove_by_update(context, ref, object, stored);
  }
  TAB_TRY(store::RecordPtr record, write(context, ref, object, stored.record));
  tell_kind(hook, type, &stored.object, object);
  return Updated{std::move(record), false};
}

Result<store::RecordPtr> Registry::rewrite(const WriteContext& context, const ObjectRef& ref,
                                           const Transform& transform) {
  TAB_TRY(const Stored stored, load(context, ref));
  const ManagedFieldsCache::Write at_hand(managed_fields_cache(), stored.record, stored.object);
  TAB_TRY(const Value object, transform(&stored.object));
  return write(context, ref, redecode_changed(*ref.type, object, stored.object, context.arena),
               stored.record);
}

}  // namespace tabernetes::registry
