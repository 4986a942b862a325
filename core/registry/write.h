// Steps that creating and updating share.
#pragma once

#include "registry/object_meta.h"
#include "registry/registry.h"

namespace tabernetes::registry {

// 422. A custom object is named by the kind that it says it is.
Failure invalid(const ResourceType& type, const json::Value& object, std::string_view name,
                const field::ErrorList& errors);

// The typed form again after hooks and defaults have changed the tree.
json::Value normalise(const ResourceType& type, const json::Value& object, json::Arena& arena);

// What decoding fills in: the declared defaults, then those that the kind computes.
void fill_in(const HookContext& context, const ResourceType& type, json::Value& object);

// The namespace of a new object is that of its request; a cluster-scoped one has none. Errors: 400.
Result<void> agree_on_namespace(const ResourceType& type, std::string_view ns, ObjectMeta& meta);

// What the kind has to warn of in an object that is valid; `old` is null on create.
void warn(const WriteContext& context, const Strategy& strategy, Part part,
          const json::Value& object, const json::Value* old);

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

// True if the resource has its status apart, as a subresource.
bool has_status_subresource(const ResourceType& type);

// 409 unless the object with this metadata is the one, at the version, that a client has named.
Result<void> check_preconditions(const ObjectRef& ref, const Preconditions& wanted,
                                 const json::Value& metadata);

}  // namespace tabernetes::registry
