// The owners of an object, by what has become of them.
#pragma once

#include <string_view>
#include <vector>

#include "controllers/garbage/owned_metadata.h"
#include "controllers/garbage/owner_state.h"
#include "controllers/loop/control_loop.h"

namespace tabernetes::controllers {

// Returns the state of an owner in this cluster or in an aggregated API, whose server may have to
// be asked. `text`: the key that is reconciled.
OwnerState owner_state(const ReconcileContext& cluster, const OwnerReference& owner,
                       std::string_view ns, std::string_view text);

// Forgets the answers that the reconciliation of the key has got.
void forget_answers_of(const ReconcileContext& cluster, std::string_view text);

struct ClassifiedOwners {
  bool resolved = true;
  bool unanswered = false;  // a server was asked; the rest does not count
  bool solid = false;
  bool waiting = false;
  std::vector<std::string_view> lost;  // uids of owners that are dangling or waiting

  // `ns`: that of the object.
  ClassifiedOwners(const ReconcileContext& cluster, const OwnerMetadata& metadata,
                   std::string_view ns, std::string_view text) {
    for (const OwnerReference& owner : metadata.owners) {
      const OwnerState state = owner_state(cluster, owner, ns, text);
      resolved = resolved && state != OwnerState::kUnresolved;
      unanswered = unanswered || state == OwnerState::kUnanswered;
      solid = solid || state == OwnerState::kSolid;
      waiting = waiting || state == OwnerState::kWaiting;
      if (state != OwnerState::kSolid) lost.push_back(owner.uid);
    }
  }
};

}  // namespace tabernetes::controllers
