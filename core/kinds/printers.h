// Printers of table cells that have files of their own; the others are in the files of their kinds.
#pragma once

#include <string_view>

#include "json/value.h"

namespace tabernetes::registry {

class Row;

// Adds the cells of an object, in the order of the kind's columns in the catalogue.
using Printer = void (*)(const json::Value& object, Row& row);

// print_workloads.cc
void print_deployment(const json::Value& object, Row& row);
void print_replica_set(const json::Value& object, Row& row);
void print_replication_controller(const json::Value& object, Row& row);
void print_stateful_set(const json::Value& object, Row& row);
void print_daemon_set(const json::Value& object, Row& row);
void print_pod_template(const json::Value& object, Row& row);
void print_scale(const json::Value& object, Row& row);
// print_config.cc
void print_service_account(const json::Value& object, Row& row);
void print_lease_candidate(const json::Value& object, Row& row);
void print_status(const json::Value& object, Row& row);
// print_event.cc
void print_event(const json::Value& object, Row& row);
// print_volumes.cc
void print_persistent_volume(const json::Value& object, Row& row);
void print_persistent_volume_claim(const json::Value& object, Row& row);
// print_storage.cc
void print_storage_version(const json::Value& object, Row& row);
void print_storage_version_migration(const json::Value& object, Row& row);
// print_policy.cc
void print_pod_disruption_budget(const json::Value& object, Row& row);
void print_resource_quota(const json::Value& object, Row& row);
// print_rbac.cc
void print_role_binding(const json::Value& object, Row& row);
// print_certificates.cc
void print_cluster_trust_bundle(const json::Value& object, Row& row);
void print_pod_certificate_request(const json::Value& object, Row& row);
// print_admission.cc
void print_webhook_configuration(const json::Value& object, Row& row);
void print_validating_admission_policy(const json::Value& object, Row& row);
void print_mutating_admission_policy(const json::Value& object, Row& row);
void print_admission_policy_binding(const json::Value& object, Row& row);
// print_devices.cc
void print_name_and_age(const json::Value& object, Row& row);
void print_resource_pool_status_request(const json::Value& object, Row& row);
void print_device_taint_rule(const json::Value& object, Row& row);
void print_pod_group(const json::Value& object, Row& row);

}  // namespace tabernetes::registry
