// Whether the owner that a reference names is there.
#pragma once

#include <string_view>

#include "controllers/owned_metadata.h"
#include "registry/registry.h"

namespace tabernetes::controllers {

// Where the owner would be that an object in `ns` names; null type: the kind is not known, or an
// object without a namespace names one that lives in some.
registry::ObjectRef place_of(const registry::Registry& registry, const OwnerReference& owner,
                             std::string_view ns);

enum class OwnerState {
  kUnresolved,  // nobody can tell where it would be
  kSolid,
  kDangling,  // there is none
  kWaiting,   // it waits for its dependents' deletion
};
OwnerState state_of(const registry::Registry& registry, const OwnerReference& owner,
                    std::string_view ns);

// Whether the owner lives where the reference says, but in another namespace.
bool lives_elsewhere(const registry::Registry& registry, const OwnerReference& owner,
                     const registry::ObjectRef& place);

}  // namespace tabernetes::controllers
