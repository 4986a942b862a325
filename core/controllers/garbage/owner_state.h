// The state of the owner that an owner reference names.
#pragma once

#include <string_view>

#include "controllers/garbage/owned_metadata.h"
#include "registry/life/registry.h"

namespace tabernetes::controllers {

// Returns where the owner named by an object in `ns` would be; its type is null if the kind is
// unknown, or if a cluster-scoped object names a namespaced owner.
registry::ObjectRef place_of(const registry::Registry& registry, const OwnerReference& owner,
                             std::string_view ns);

enum class OwnerState {
  kUnresolved,  // its place is unknown
  kSolid,
  kDangling,    // does not exist
  kWaiting,     // waits for the deletion of its dependents
  kUnanswered,  // an aggregated API server has been asked: see owner_state()
};
OwnerState state_of(const registry::Registry& registry, const OwnerReference& owner,
                    std::string_view ns);

// Returns whether the owner exists at the reference's name, but in another namespace.
bool is_in_other_namespace(const registry::Registry& registry, const OwnerReference& owner,
                           const registry::ObjectRef& place);

}  // namespace tabernetes::controllers
