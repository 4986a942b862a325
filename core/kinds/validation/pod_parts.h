// The parts of a pod's validation, for the files that make it up.
#pragma once

#include <string_view>

#include "rules/field.h"
#include "rules/internal_form.h"
#include "rules/name_table.h"
#include "rules/rules.h"

namespace tabernetes::registry::validation {

// What the rules of a pod's parts need to know of the whole.
struct PodScope {
  const Field& spec;
  bool is_pod;                // and not a template
  std::string_view pod_name;  // of a template ""
  bool is_static = false;     // has the annotation of a mirror pod
  NameTable volumes = {};     // the sound ones, with their values
  NameTable claims = {};      // the names of spec.resourceClaims
};

// Calls `visit` with each init, regular and ephemeral container, in this order.
template <typename Visit>
void each_container(const Field& spec, const Visit& visit) {
  for (const std::string_view name : {"initContainers", "containers", "ephemeralContainers"}) {
    const Field list = spec[name];
    for (const Field container : list.items()) visit(container);
  }
}

// pod_annotations: that of a pod that a node runs by itself; the annotations that pods have a say
// in; those against the fields.
bool is_mirror(const Field& annotations);
void validate_pod_annotations(const Field& annotations, const Field& spec);
void validate_profile_annotations(const Field& annotations, const Field& spec);

// volumes; fills scope.volumes.
void validate_volumes(PodScope& scope);
// `must be a relative path`, `must not contain '..'`, and for those in volumes `must not start with
// '..'`.
void validate_relative_path(const Field& path);
void validate_volume_path(const Field& path);
bool validate_no_backsteps(const Field& path);

// resources
void validate_container_resources(const Field& resources, const NameTable& claims);
void validate_pod_resources(const PodScope& scope);
// Of a list of resources that is no requirement, such as spec.overhead.
void validate_resource_limits(const Field& place, const Field& limits);

}  // namespace tabernetes::registry::validation
