// Replacing an object, for PUT and PATCH alike. Order of work: spec/lifecycle.md 2.1.

#include "base/go_text.h"
#include "base/parts.h"
#include "json/fill.h"
#include "registry/kind/kind_behaviour.h"
#include "registry/life/generation.h"
#include "registry/life/registry.h"
#include "registry/life/write.h"
#include "registry/meta/object_meta.h"
#include "registry/meta/object_meta_validation.h"
#include "registry/ownership/managed_fields.h"

namespace tabernetes::registry {
namespace {

using json::Member;
using json::Value;

constexpr std::string_view kModified =
    "the object has been modified; please apply your changes to the latest version and try again";

// Writes of a part do not count.
constexpr Strategy kUncounted{};

// What an update cannot change is what it was.
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

// A manifest brings its own uid and time of creation; those of the stored object fill the gaps. An
// object that was being deleted lives on.
void take_system_fields_of_manifest(Value& object, const Value& stored, json::Arena& arena) {
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

// `/status` changes the status, and of most kinds user metadata.
Value with_status_of(const ResourceType& type, const Value& stored, const Value& wanted,
                     json::Arena& arena) {
  Value object = stored.clone(arena);
  take_member(object, wanted, "status", arena);
  if (type.strategy->status_keeps_metadata) {
    ObjectMeta kept(object, arena);
    std::string_view names = type.strategy->status_takes;
    while (!names.empty()) kept.take(take_part(names, ' '), metadata_of(wanted));
    return object;
  }
  take_member(object, wanted, "metadata", arena);
  ObjectMeta meta(object, arena);
  if (type.strategy->status_keeps_labels) meta.take("labels", metadata_of(stored));
  if (type.strategy->graceful_deletion) meta.take("ownerReferences", metadata_of(stored));
  return object;
}

// `/finalize` changes everything but the status: that is how it takes a namespace's finalizers.
Value with_finalizers_of(const Value& stored, const Value& wanted, json::Arena& arena) {
  Value object = stored.clone(arena);
  take_member(object, wanted, "spec", arena);
  take_member(object, wanted, "metadata", arena);
  return object;
}

// A terminating object that nothing holds any more.
bool is_released(const ResourceType& type, const Value& object, const Value& stored,
                 json::Arena& arena) {
  Value now = object;
  Value before = stored;
  const ObjectMeta meta(now, arena);
  const ObjectMeta old(before, arena);
  if (!old.terminating() || meta.has_finalizers()) return false;
  if (old.integer("deletionGracePeriodSeconds").value_or(0) != 0) return false;
  return type.strategy->holds_deletion == nullptr || !type.strategy->holds_deletion(object);
}

field::ErrorList validate_update_of(const ResourceType& type, const Change& change,
                                    std::vector<std::string>* warnings) {
  const Value& metadata = *metadata_of(change.object);
  const Value& old = *metadata_of(*change.old);
  field::ErrorList unlike;
  if (!type.behaviour->check_identity(change.object, unlike)) {
    field::ErrorList errors = validate_any_meta_update(metadata, old);
    errors.insert(errors.end(), unlike.begin(), unlike.end());
    return errors;
  }
  field::ErrorList errors =
      validate_object_meta_update(metadata, old, meta_rules(type), change.part);
  type.behaviour->validate(change, errors, warnings);
  return errors;
}

// A manifest replaces an object as if it were new: what a client may not change, it may.
field::ErrorList validate_replacement(const ResourceType& type, const Change& change,
                                      std::vector<std::string>* warnings) {
  field::ErrorList errors;
  if (!type.behaviour->check_identity(change.object, errors)) return errors;
  errors = validate_object_meta(*metadata_of(change.object), meta_rules(type));
  type.behaviour->validate({change.part, change.object, nullptr, change.policy}, errors, warnings);
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
    // Named by the resource, not by the kind: so the real server has it.
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

Result<Updated> Registry::update(const WriteContext& context, const ObjectRef& ref, Part part,
                                 const Transform& transform) {
  const ResourceType& type = *ref.type;
  json::Arena& arena = context.arena;
  auto found = load(context, ref);
  if (!found && found.error().code != 404) return std::move(found).error();
  if (!found) {
    TAB_TRY(Value object, transform(nullptr));
    if (part != Part::kWhole || !(type.strategy->allow_create_on_update || context.applies)) {
      return std::move(found).error();
    }
    ObjectMeta(object, arena).erase("resourceVersion");
    TAB_TRY(store::RecordPtr created, create(context, type, ref.ns, object));
    return Updated{std::move(created), true};
  }
  const Stored& stored = *found;
  const ManagedFieldsCache::Write at_hand(managed_fields_cache(), stored.record, stored.object);
  const HookContext hook = hook_context(context);
  const Strategy& strategy = *type.strategy;
  TAB_TRY(Value object, transform(&stored.object));
  type.behaviour->apply_defaults(hook, object);
  track(context, type, object, &stored.object);
  const Value wanted = object;
  if (part == Part::kStatus) object = with_status_of(type, stored.object, object, arena);
  if (part == Part::kFinalize) object = with_finalizers_of(stored.object, object, arena);
  if (part != Part::kWhole && strategy.prepare_part != nullptr) {
    strategy.prepare_part(hook, part, object, stored.object);
  }
  ObjectMeta(object, arena).take("managedFields", metadata_of(wanted));
  const AdmissionRequest admission{*this,  context, Operation::kUpdate, type, part,
                                   ref.ns, object,  &stored.object};
  // What a dump holds was let in once.
  const bool loads = context.origin == Origin::kManifest;
  const bool admits = admission_ != nullptr && !loads;
  if (admits) TAB_CHECK(admission_->mutate(plugins_, admission));
  TAB_CHECK(check_version(ref, stored, object));
  const auto settle_system_fields = loads ? &take_system_fields_of_manifest : &keep_system_fields;
  settle_system_fields(object, stored.object, arena);
  if (part == Part::kWhole) {
    if (type.has_status() && !loads) take_member(object, stored.object, "status", arena);
    if (strategy.admit != nullptr) TAB_CHECK(strategy.admit(hook, object, &stored.object));
  }
  drop_gated_fields(type, object, &stored.object, arena);
  if (part == Part::kWhole && strategy.prepare_for_update != nullptr) {
    strategy.prepare_for_update(hook, object, stored.object);
  }
  object = normalise(type, object, arena);
  const bool counts = part != Part::kStatus && part != Part::kFinalize;
  const Strategy& counting = counts ? strategy : kUncounted;
  if (bump_generation(counting, object, stored.object, arena)) {
    object = normalise(type, object, arena);
  }
  keep_times(object, stored.object, arena);

  if (part == Part::kWhole) TAB_CHECK(allocate(context, type, object, &stored.object));
  const Change change{part, object, &stored.object, policy_};
  const auto validate = loads ? &validate_replacement : &validate_update_of;
  field::ErrorList errors = validate(type, change, hook.warnings);
  if (!errors.empty()) {
    return invalid(type, object, ref.name, errors);
  }
  warn(context, type, change);
  if (admits) TAB_CHECK(admission_->validate(plugins_, admission));
  if (!loads && is_released(type, object, stored.object, arena)) {
    // The answer shows what was asked for, at the version that was stored.
    TAB_TRY(EncodedWrite last, encode_write(context, type, object, VersionMember::kPresent));
    store::RecordPtr shown =
        last.shown_as(make_record(std::move(last.stored), stored.record->revision));
    TAB_CHECK(finish_removal(context, ref, stored, {}));
    return Updated{std::move(shown), false};
  }
  TAB_TRY(store::RecordPtr record, write(context, ref, object, stored.record));
  if (strategy.stored != nullptr && !context.dry_run) {
    strategy.stored(hook, &stored.object, &object);
  }
  return Updated{std::move(record), false};
}

Result<store::RecordPtr> Registry::rewrite(const WriteContext& context, const ObjectRef& ref,
                                           const Transform& transform) {
  TAB_TRY(const Stored stored, load(context, ref));
  const ManagedFieldsCache::Write at_hand(managed_fields_cache(), stored.record, stored.object);
  TAB_TRY(const Value object, transform(&stored.object));
  return write(context, ref, normalise(*ref.type, object, context.arena), stored.record);
}

}  // namespace tabernetes::registry
