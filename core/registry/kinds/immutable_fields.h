// Fields that an update may not change, of kinds with few of them.
// Source: spec/lifecycle.md 2.7; upstream 1.36 pkg/apis/*/validation; recordings of the real
// server.
#pragma once

#include "registry/validation/field.h"

namespace tabernetes::registry::kinds {

// Deployments, ReplicaSets, DaemonSets.
void keep_selector(const validation::Field& object, const validation::Field& old);
void keep_stateful_set(const validation::Field& object, const validation::Field& old);
void keep_job(const validation::Field& object, const validation::Field& old);
void keep_revision_data(const validation::Field& object, const validation::Field& old);

}  // namespace tabernetes::registry::kinds
