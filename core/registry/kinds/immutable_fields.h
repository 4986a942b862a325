// Fields that an update may not change, of kinds with few of them.
// Source: spec/lifecycle.md 2.7; upstream 1.36 pkg/apis/*/validation; recordings of the real
// server.
#pragma once

#include "base/field_error.h"
#include "json/value.h"

namespace tabernetes::registry::kinds {

// Deployments, ReplicaSets, DaemonSets.
void keep_selector(const json::Value& object, const json::Value& old, field::ErrorList& errors);
void keep_stateful_set(const json::Value& object, const json::Value& old, field::ErrorList& errors);
void keep_job(const json::Value& object, const json::Value& old, field::ErrorList& errors);
void keep_revision_data(const json::Value& object, const json::Value& old,
                        field::ErrorList& errors);
void keep_role_reference(const json::Value& object, const json::Value& old,
                         field::ErrorList& errors);
void keep_priority(const json::Value& object, const json::Value& old, field::ErrorList& errors);
void keep_ingress_controller(const json::Value& object, const json::Value& old,
                             field::ErrorList& errors);

}  // namespace tabernetes::registry::kinds
