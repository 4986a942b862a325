// Creating an object. Order of work: spec/lifecycle.md 1.1.

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

// What a client may not choose. Source: spec/lifecycle.md 1.1 step 3, 1.2.
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

// The name that a message about a new object shows.
std::string_view shown_name(const ObjectMeta& meta) {
  if (!meta.name().empty()) return meta.name();
  const std::string_view prefix = meta.get("generateName");
  return prefix.empty() ? std::string_view("Unknown") : prefix;
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

Result<void> Registry::check_namespace(const ResourceType& type, std::string_view ns,
                                       std::string_view name) const {
  if (!type.resource->namespaced) return {};
  const ResourceType* namespaces = resources_->find("", "v1", "namespaces");
  TAB_TRY(const store::RecordPtr home, get({namespaces, {}, ns}));
  if (!offsets_of(*home).terminating) return {};
  const std::string where(ns);
  Failure failure = errors::forbidden(
      type.group_resource(), name,
      "unable to create new content in namespace " + where + " because it is being terminated");
  failure->details->causes.push_back({"NamespaceTerminating",
                                      "namespace " + where + " is being terminated",
                                      "metadata.namespace"});
  return failure;
}

Result<store::RecordPtr> Registry::create(const WriteContext& context, const ResourceType& type,
                                          std::string_view ns, Value object) {
  ObjectMeta meta(object, context.arena);
  TAB_CHECK(type.behaviour->check_creatable(meta.name()));
  TAB_CHECK(set_request_namespace(type, ns, meta));
  if (plugins_.has(Plugin::kNamespaceLifecycle)) {
    TAB_CHECK(check_namespace(type, ns, shown_name(meta)));
  }
  const std::string version(meta.resource_version());
  wipe_system_fields(context, meta);
  // The store refuses it; a dry run, which does not come to it, shows it.
  if (is_version(version)) meta.set("resourceVersion", version);
  type.behaviour->apply_defaults(hook_context(context), object);
  update_managed_fields(context, type, object, nullptr);
  meta = ObjectMeta(object, context.arena);  // it may have moved
  set_system_fields(context, meta, entropy_);

  const std::string_view prefix = meta.get("generateName");
  if (!meta.name().empty() || prefix.empty()) {
    return create_named(context, type, ns, object, meta.name());
  }
  std::string name;
  for (int attempt = 0; attempt < kNameAttempts; ++attempt) {
    name = std::string(prefix.substr(0, kMaxGeneratedPrefix)) + make_name_suffix(entropy_);
    meta.set("name", name);
    auto created = create_named(context, type, ns, object, meta.name());
    if (created || created.error().reason != "AlreadyExists") return created;
  }
  return errors::generate_name_conflict(type.group_resource(), name);
}

Result<store::RecordPtr> Registry::create_named(const WriteContext& context,
                                                const ResourceType& type, std::string_view ns,
                                                Value object, std::string_view name) {
  const HookContext hook = hook_context(context);
  const Strategy& strategy = *type.strategy;
  const bool names_a_version = !ObjectMeta(object, context.arena).resource_version().empty();
  const AdmissionRequest admission{
      *this, context, Operation::kCreate, type, Subresource::kNone, ns, object, nullptr};
  // What a dump holds was let in once.
  const bool admits = admission_ != nullptr && context.origin == Origin::kClient;
  if (admits) TAB_CHECK(admission_->mutate(plugins_, admission));
  if (strategy.admit != nullptr) TAB_CHECK(strategy.admit(hook, object, nullptr));
  set_initial_status(context, type, object);
  start_generation(strategy, object, context.arena);
  drop_gated_fields(type, object, nullptr, context.arena);
  if (strategy.prepare_for_create != nullptr) strategy.prepare_for_create(hook, object);
  object = redecode(type, object, context.arena);

  // Upstream allocates before it validates; what was chosen counts only once it is stored.
  TAB_CHECK(allocate(context, type, object, nullptr));
  field::ErrorList errors;
  const Change change{Subresource::kNone, object, nullptr, capabilities_};
  if (type.behaviour->check_identity(object, errors)) {
    errors = validate_object_meta(*object.find("metadata"), meta_rules(type));
    type.behaviour->validate(change, errors, hook.warnings);
  }
  if (!errors.empty()) return invalid(type, object, name, errors);
  warn(context, type, change);
  if (strategy.admit_valid != nullptr) TAB_CHECK(strategy.admit_valid(hook, object));
  if (admits) TAB_CHECK(admission_->validate(plugins_, admission));
  if (names_a_version && !context.dry_run) {
    return errors::plain_error("resourceVersion should not be set on objects to be created");
  }
  if (const store::RecordPtr existing = store_.get(type.key(ns, name))) {
    Failure failure = errors::already_exists(type.group_resource(), name);
    if (offsets_of(*existing).terminating) {
      failure->message.insert(0, "object is being deleted: ");
    }
    return failure;
  }
  TAB_TRY(store::RecordPtr record, write(context, {&type, ns, name}, object, nullptr));
  if (strategy.stored != nullptr && !context.dry_run) strategy.stored(hook, nullptr, &object);
  return record;
}

}  // namespace tabernetes::registry
