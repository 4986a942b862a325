#include "registry/meta/owner_references.h"

#include <algorithm>
#include <string_view>

#include "json/equality.h"

namespace tabernetes::registry {

using json::Value;

void drop_equal_owners(Value& object, OwnersSeen seen, std::vector<std::string>* warnings,
                       json::Arena& arena) {
  constexpr std::string_view kOwners = "ownerReferences";
  Value* metadata = object.find("metadata");
  const Value* owners = metadata == nullptr ? nullptr : metadata->find(kOwners);
  if (owners == nullptr || !owners->is_array() || owners->size() < 2) return;
  Value kept = Value::array(arena);
  std::string uids;
  for (const Value& owner : owners->items()) {
    const auto equals = [&](const Value& other) { return json::deep_equal(owner, other); };
    if (!std::any_of(kept.items().begin(), kept.items().end(), equals)) {
      kept.push_back(arena, owner);
      continue;
    }
    if (!uids.empty()) uids += ", ";
    uids += owner.string_at("uid");
  }
  if (kept.size() == owners->size()) return;
  metadata->set(arena, kOwners, kept);
  if (warnings == nullptr) return;
  std::string text = ".metadata.ownerReferences contains duplicate entries";
  if (seen == OwnersSeen::kAfterMutatingAdmission) text += " after mutating admission happens";
  warnings->push_back(text +
                      "; API server dedups owner references in 1.20+, and may reject such requests "
                      "as early as 1.24; please fix your requests; duplicate UID(s) observed: " +
                      uids);
}

}  // namespace tabernetes::registry
