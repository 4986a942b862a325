// Steps shared by create and update.
#pragma once

#include "registry/kind/kind_behaviour.h"
#include "registry/life/registry.h"
#include "registry/meta/object_meta.h"
#include "registry/meta/object_meta_validation.h"

namespace tabernetes::registry {

// Returns the rules for the metadata of the type's objects.
inline MetaRules meta_rules(const ResourceType& type, const validation::Capabilities& capabilities =
                                                          validation::kUsualCapabilities) {
  NameConstraints names = type.strategy->names;
  if (!names.relaxed_by.empty() && !capabilities.enabled(names.relaxed_by)) {
    names.format = NameFormat::kLabel1035;
  }
  return {type.resource->namespaced, names, type.strategy->meta_passes};
}

// Returns the 422 error. It names the kind given in the object if that is a custom one.
Failure invalid(const ResourceType& type, const json::Value& object, std::string_view name,
                const field::ErrorList& errors);

// Validates the object of the change as a new one, without what it replaces.
field::ErrorList create_errors(const ResourceType& type, const Change& change,
                               std::vector<std::string>* warnings);

// Decodes the tree again after hooks and defaults have changed it.
json::Value redecode(const ResourceType& type, const json::Value& object, json::Arena& arena);
// Does the same for a change of `stored`: the members that it shares with it are not decoded again.
json::Value redecode_changed(const ResourceType& type, const json::Value& object,
                             const json::Value& stored, json::Arena& arena);

// Sets the namespace of a new object to the request's; erases it for a cluster-scoped one. Errors:
// 400.
Result<void> set_request_namespace(const ResourceType& type, std::string_view ns, ObjectMeta& meta);

// Adds the kind's warnings about a valid object.
void warn(const WriteContext& context, const ResourceType& type, const Change& change);

// Tells the kind that `object` was stored in the place of `before` (null: nothing), unless in a dry
// run.
inline void tell_kind(const HookContext& hook, const ResourceType& type, const json::Value* before,
                      const json::Value& object) {
  if (type.strategy->stored == nullptr || hook.dry_run) return;
  type.strategy->stored(hook, before, &object);
}

// An object ready to be stored: its bytes, and those of the response if they differ.
struct EncodedWrite {
  EncodedObject stored;
  std::optional<EncodedObject> shown;

  // Returns the record for the response, given the stored one.
  store::RecordPtr shown_as(store::RecordPtr record);
};

// Encodes an object. Errors: those of may_persist().
Result<EncodedWrite> encode_write(const WriteContext& context, const ResourceType& type,
                                  const json::Value& object, VersionMember version);

// Returns an error if an answer that the write of `object` needs is missing. For plugins with
// writes of their own, which would be repeated when the request runs again.
Result<void> check_answers(const WriteContext& context, const ResourceType& type,
                           const json::Value& object);

// Errors: 409 unless the object with this metadata has the uid and version of the preconditions.
Result<void> check_preconditions(const ObjectRef& ref, const Preconditions& wanted,
                                 const json::Value& metadata);

}  // namespace tabernetes::registry
