// What workloads have when the client does not say, and what a new Job is given.
// Source: spec/defaults-validation.md 2.6, 3, 4; spec/lifecycle.md 8.9.
#pragma once

#include "registry/kind/strategy.h"

namespace tabernetes::registry::kinds {

void set_stateful_set_defaults(const HookContext& context, json::Value& object);
void set_daemon_set_defaults(const HookContext& context, json::Value& object);
void set_job_defaults(const HookContext& context, json::Value& object);
void set_replication_controller_defaults(const HookContext& context, json::Value& object);

// The selector and the labels that tie pods to a Job, made of its uid.
void prepare_job_for_create(const HookContext& context, json::Value& object);

// The annotation that counts the versions of a DaemonSet's template.
void prepare_daemon_set_for_create(const HookContext& context, json::Value& object);
// Of a status: the template is as it was, and so is its number.
void prepare_daemon_set_part(const HookContext& context, Part part, json::Value& object,
                             const json::Value& old);
void prepare_daemon_set_for_update(const HookContext& context, json::Value& object,
                                   const json::Value& old);

}  // namespace tabernetes::registry::kinds
