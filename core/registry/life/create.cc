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
  for (const std::string_view field :
       {"deletionTimestamp", "deletionGracePeriodSeconds", "selfLink", "resourceVersion"}) {
    meta.erase(field);
  }
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
  meta = ObjectMeta(object, context.arena);  // it may have moved
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

Result<store::RecordPtr> Registry::create_named(const AdmissionRequest& mutated) {
  const WriteContext& context = mutated.context;
  const ResourceType& type = mutated.type;
  Value& object = mutated.object;
  const HookContext hook = hook_context(context);
  const Strategy& strategy = *type.strategy;
  const ObjectMeta meta(object, context.arena);
  const std::string name(meta.name());
  const bool names_a_version = !meta.resource_version().empty();
  set_initial_status(context, type, object);
  start_generation(strategy, object, context.arena);
  drop_gated_fields(type, object, nullptr, context.arena);
  if (strategy.prepare_for_create != nullptr) strategy.prepare_for_create(hook, object);
  object = redecode(type, object, context.arena);

  // Upstream allocates before validation. The allocation takes effect only when the object is
  // stored.
  TAB_CHECK(allocate(context, type, object, nullptr));
  field::ErrorList errors;
  const Change change{Subresource::kNone, object, nullptr, capabilities_};
  if (type.behaviour->check_identity(object, errors)) {
    errors = validate_object_meta(*object.find("metadata"), meta_rules(type));
    type.behaviour->validate(change, errors, hook.warnings);
  }
  if (!errors.empty()) return invalid(type, object, name, errors);
  warn(context, type, change);
  TAB_CHECK(validate(mutated));
  if (names_a_version && !context.dry_run) {
    return errors::plain_error("resourceVersion should not be set on objects to be created");
  }
  if (const store::RecordPtr existing = store_.get(type.key(mutated.ns, name))) {
    Failure failure = errors::already_exists(type.group_resource(), name);
    if (offsets_of(*existing).terminating) {
      failure->message.insert(0, "object is being deleted: ");
    }
    return failure;
  }
  TAB_TRY(store::RecordPtr record, write(context, {&type, mutated.ns, name}, object, nullptr));
  if (strategy.stored != nullptr && !context.dry_run) strategy.stored(hook, nullptr, &object);
  return record;
}

}  // namespace tabernetes::registry
