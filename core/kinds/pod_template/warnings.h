// Warnings about pods and pod templates.
#pragma once

#include <string_view>

#include "kinds/row/rules.h"
#include "registry/kind/warnings.h"

namespace tabernetes::registry::kinds {

inline constexpr std::string_view kPodNames = "Pod names and hostnames";

// Warns about the pod or template at `base`.
void warn_of_pod_at(const Field& base, bool in_template, Warnings& out);
// Warns about a name with dots, or a name that is too long.
void warn_of_name(const Field& object, std::string_view use, Warnings& out);

bool same_generation(const Field& object, const json::Value& old);
// Warns about the template in a spec if it may have changed.
void warn_of_spec_template(const Field& object, const json::Value* old, Warnings& out);
// Hook of ReplicaSet, Deployment.
void warn_of_replicas(const Field& object, const json::Value* old, Warnings& out);

void warn_of_volumes(const Field& volumes, Warnings& out);

}  // namespace tabernetes::registry::kinds
