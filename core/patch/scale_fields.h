// Ownership of the replicas shown by an object's Scale. A Scale has no managedFields of its own:
// they are derived from its object's and written back there. Source: spec/patch-apply.md 6.11.
#pragma once

#include <string_view>

#include "patch/field_manager.h"

namespace tabernetes::patch {

inline constexpr std::string_view kScaleVersion = "autoscaling/v1";

// The position of the replicas in the scaled object.
struct Replicas {
  const ObjectVersions& versions;
  std::string_view api_version;  // of the request to the Scale's object
  Path path;                     // e.g. .spec.replicas
};

// Returns the entries of the object's Scale.
ManagedFields scale_entries(const ManagedFields& parent, const Replicas& replicas);

// Returns the entries of the object after a write to its Scale, whose entries are now `scale`.
ManagedFields with_scale_entries(const ManagedFields& parent, ManagedFields scale,
                                 const Replicas& replicas);

}  // namespace tabernetes::patch
