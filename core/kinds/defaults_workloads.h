// Defaults of workloads, and the generated fields of a new Job. Source: spec/defaults-validation.md
// 2.6, 3, 4; spec/lifecycle.md 8.9.
#pragma once

#include "registry/kind/strategy.h"

namespace tabernetes::registry::kinds {

void set_stateful_set_defaults(const HookContext& context, json::Value& object);
void set_daemon_set_defaults(const HookContext& context, json::Value& object);
void set_job_defaults(const HookContext& context, json::Value& object);
void set_replication_controller_defaults(const HookContext& context, json::Value& object);

// Generates the selector and the pod labels from the Job's uid.
void prepare_job_for_create(const HookContext& context, json::Value& object);

// Sets the annotation with the template's generation.
void prepare_daemon_set_for_create(const HookContext& context, json::Value& object);
// Restores the template's generation on a write to the status.
void prepare_daemon_set_subresource(const HookContext& context, Subresource subresource,
                                    json::Value& object, const json::Value& old);
void prepare_daemon_set_for_update(const HookContext& context, json::Value& object,
                                   const json::Value& old);

}  // namespace tabernetes::registry::kinds
