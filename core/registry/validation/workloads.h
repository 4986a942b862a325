// What is wrong with workloads: what keeps pods of a template running.
// Source: spec/defaults-validation.md 3; upstream 1.36 pkg/apis/apps/validation/validation.go,
// pkg/apis/core/validation/validation.go.
#pragma once

#include "registry/validation/field.h"

namespace tabernetes::registry::validation {

void validate_deployment(const Field& deployment);
void validate_deployment_update(const Field& deployment, const Field& old);
void validate_deployment_status(const Field& deployment, const Field& old);

void validate_replica_set(const Field& set);
void validate_replica_set_update(const Field& set, const Field& old);
void validate_replica_set_status(const Field& set, const Field& old);

void validate_stateful_set(const Field& set);
void validate_stateful_set_update(const Field& set, const Field& old);
void validate_stateful_set_status(const Field& set, const Field& old);

void validate_daemon_set(const Field& set);
void validate_daemon_set_update(const Field& set, const Field& old);
void validate_daemon_set_status(const Field& set, const Field& old);

void validate_replication_controller(const Field& controller);
void validate_replication_controller_status(const Field& controller, const Field& old);

void validate_pod_template_object(const Field& object);

void validate_controller_revision(const Field& revision);
void validate_controller_revision_update(const Field& revision, const Field& old);

}  // namespace tabernetes::registry::validation
