// Functions shared by the files that validate pods and pod templates.
#pragma once

#include <string_view>

#include "kinds/row/rules.h"
#include "rules/internal_form.h"
#include "rules/name_table.h"

namespace tabernetes::registry::validation {

// The properties of a pod that rules of its parts use.
struct PodScope {
  const Field& spec;
  bool is_pod;                // false for a template
  std::string_view pod_name;  // "" for a template
  bool is_static = false;     // has the mirror pod annotation
  NameTable volumes = {};     // the valid ones, with their values
  NameTable claims = {};      // names of spec.resourceClaims
};

}  // namespace tabernetes::registry::validation

namespace tabernetes::registry::kinds {

extern const Rules kPodSpecRules;

// template.cc
void validate_pod_spec(PodScope& scope);

// Calls `visit` with each init, regular and ephemeral container, in this order.
template <typename Visit>
void each_container(const Field& spec, const Visit& visit) {
  for (const std::string_view name : {"initContainers", "containers", "ephemeralContainers"}) {
    const Field list = spec[name];
    for (const Field container : list.items()) visit(container);
  }
}

// annotations.cc: detect a static pod's mirror; check known annotations; compare those with the
// fields.
bool is_mirror(const Field& annotations);
void validate_pod_annotations(const Field& annotations, const Field& spec);
void validate_profile_annotations(const Field& annotations, const Field& spec);
// Checks immutable annotations; for every update.
void validate_pod_annotation_update(const Field& pod, const Field& old);

// volumes.cc. Fills scope.volumes.
void validate_volumes(PodScope& scope);
// Report `must be a relative path`, `must not contain '..'`, and for paths in volumes `must not
// start with '..'`.
void validate_relative_path(const Field& path);
void validate_volume_path(const Field& path);
bool validate_no_parent_elements(const Field& path);

// resources.cc
void validate_container_resources(const Field& resources, const NameTable& claims);
void validate_pod_resources(const PodScope& scope);
// Checks a resource list that is not part of requirements, such as spec.overhead.
void validate_resource_limits(const Field& place, const Field& limits);

}  // namespace tabernetes::registry::kinds
