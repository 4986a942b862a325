// Steps that creating and updating share.
#pragma once

#include "registry/kind/kind_behaviour.h"
#include "registry/life/registry.h"
#include "registry/meta/object_meta.h"
#include "registry/meta/object_meta_validation.h"

namespace tabernetes::registry {

// By what rules the metadata of its objects is checked.
inline MetaRules meta_rules(const ResourceType& type) {
  return {type.resource->namespaced, type.strategy->names, type.strategy->meta_passes};
}

// 422. A custom object is named by the kind that it says it is.
Failure invalid(const ResourceType& type, const json::Value& object, std::string_view name,
                const field::ErrorList& errors);

// The typed form again after hooks and defaults have changed the tree.
json::Value normalise(const ResourceType& type, const json::Value& object, json::Arena& arena);

// The namespace of a new object is that of its request; a cluster-scoped one has none. Errors: 400.
Result<void> agree_on_namespace(const ResourceType& type, std::string_view ns, ObjectMeta& meta);

// Adds what the kind has to warn of in an object that is valid.
void warn(const WriteContext& context, const ResourceType& type, const Change& change);

// An object that is ready to be stored: its bytes, and those that the answer shows where they are
// others.
struct EncodedWrite {
  EncodedObject stored;
  std::optional<EncodedObject> shown;

  // Returns the record that the answer shows, given the one that was stored.
  store::RecordPtr shown_as(store::RecordPtr record);
};

// Errors: what it shows is not known yet, or cannot be (may_persist()).
Result<EncodedWrite> encode_write(const WriteContext& context, const ResourceType& type,
                                  const json::Value& object, VersionMember version);

// 409 unless the object with this metadata is the one, at the version, that a client has named.
Result<void> check_preconditions(const ObjectRef& ref, const Preconditions& wanted,
                                 const json::Value& metadata);

}  // namespace tabernetes::registry
