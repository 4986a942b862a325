// Who owns the replicas of an object, as its scale shows it. A Scale has no managedFields of its
// own: they are made of its object's and put back there. Source: spec/patch-apply.md 6.11.
#pragma once

#include <string_view>

#include "patch/field_manager.h"

namespace tabernetes::patch {

inline constexpr std::string_view kScaleVersion = "autoscaling/v1";

// Where an object and its versions have the number that the scale shows.
struct Replicas {
  const ObjectVersions& versions;
  std::string_view api_version;  // of the request to the scale's object
  Path path;                     // such as .spec.replicas
};

// The entries of the object's scale.
ManagedFields scale_entries(const ManagedFields& parent, const Replicas& replicas);

// The entries of the object after a write to its scale left `scale` there.
ManagedFields with_scale_entries(const ManagedFields& parent, ManagedFields scale,
                                 const Replicas& replicas);

}  // namespace tabernetes::patch
