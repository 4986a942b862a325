# The built-in kinds.
tab_module(kinds
  SOURCES
    admissionregistration/mutating_admission_policy.cc
    admissionregistration/mutating_admission_policy_binding.cc
    admissionregistration/mutating_webhook_configuration.cc
    admissionregistration/policy_expressions.cc
    admissionregistration/policy_scope.cc
    admissionregistration/shared.cc
    admissionregistration/validating_admission_policy.cc
    admissionregistration/validating_admission_policy_binding.cc
    admissionregistration/validating_webhook_configuration.cc
    admissionregistration/validation.cc
    apiextensions/custom_resource_definition.cc
    apiregistration/api_service.cc
    apps/controller_revision.cc
    apps/daemon_set.cc
    apps/deployment.cc
    apps/int_or_percent.cc
    apps/replica_set.cc
    apps/shared.cc
    apps/stateful_set.cc
    autoscaling/autoscaler_conversion.cc
    autoscaling/autoscaler_validation.cc
    autoscaling/horizontal_pod_autoscaler.cc
    autoscaling/scale.cc
    batch/cron_job.cc
    batch/job.cc
    batch/job_indexes.cc
    batch/job_spec.cc
    batch/job_status.cc
    batch/job_validation.cc
    certificates/certificate_signing_request.cc
    certificates/cluster_trust_bundle.cc
    certificates/pod_certificate_request.cc
    coordination/lease.cc
    coordination/lease_candidate.cc
    core/binding.cc
    core/component_status.cc
    core/config_data.cc
    core/config_map.cc
    core/endpoints.cc
    core/event.cc
    core/limit_range.cc
    core/namespace.cc
    core/node.cc
    core/persistent_volume.cc
    core/persistent_volume_claim.cc
    core/pod.cc
    core/pod_binding.cc
    core/pod_create.cc
    core/pod_eviction.cc
    core/pod_status.cc
    core/pod_subresources.cc
    core/pod_template.cc
    core/pod_update.cc
    core/pod_validation.cc
    core/replication_controller.cc
    core/resource_quota.cc
    core/secret.cc
    core/service.cc
    core/service_account.cc
    core/service_addresses.cc
    core/service_allocation.cc
    core/service_validation.cc
    core/status.cc
    core/tls_key_pair.cc
    core/volume_parts.cc
    discovery/endpoint_slice.cc
    events/event.cc
    events/event_conversion.cc
    flowcontrol/flow_schema.cc
    flowcontrol/priority_level_configuration.cc
    internal/storage_version.cc
    networking/ingress.cc
    networking/ingress_class.cc
    networking/ip_address.cc
    networking/network_policy.cc
    networking/service_cidr.cc
    node/runtime_class.cc
    pod_template/annotations.cc
    pod_template/app_armor.cc
    pod_template/defaults.cc
    pod_template/env_sources.cc
    pod_template/resources.cc
    pod_template/security_checks.cc
    pod_template/spec_checks.cc
    pod_template/spec_rules.cc
    pod_template/template.cc
    pod_template/volume_defaults.cc
    pod_template/volume_warnings.cc
    pod_template/volumes.cc
    pod_template/warnings.cc
    pod_template/workloads.cc
    policy/pod_disruption_budget.cc
    rbac/cluster_role.cc
    rbac/cluster_role_binding.cc
    rbac/role.cc
    rbac/role_binding.cc
    rbac/shared.cc
    resource/device_claims.cc
    resource/device_class.cc
    resource/device_taint_rule.cc
    resource/resource_claim.cc
    resource/resource_claim_template.cc
    resource/resource_pool_status_request.cc
    resource/resource_slice.cc
    scheduling/pod_group.cc
    scheduling/priority_class.cc
    scheduling/workload.cc
    shared/addresses.cc
    shared/bootstrap_tokens.cc
    shared/cells.cc
    shared/checks.cc
    shared/line_diff.cc
    shared/node_selectors.cc
    shared/own_names.cc
    shared/resource_names.cc
    shared/selectors.cc
    shared/tolerations.cc
    storage/csi_driver.cc
    storage/csi_node.cc
    storage/csi_storage_capacity.cc
    storage/parameters.cc
    storage/storage_class.cc
    storage/volume_attachment.cc
    storage/volume_attributes_class.cc
    storagemigration/storage_version_migration.cc
    table/built_in_kind.cc
    table/built_in_table.cc
    table/empty_object.cc
    table/kinds.cc
    table/selectable_fields.cc
    volumes/claim_spec.cc
    volumes/sources.cc
    volumes/volume_spec.cc
  ROOMS
    "row:"  # Kind, the behaviour of a kind; the language of rules
    "shared: row"  # what kinds of several groups contain: selectors, addresses, names of resources
    "volumes: row shared"  # sources of volumes, specs of persistent volumes and claims
    "pod_template: row shared volumes"  # specs of pods, in pods and in workloads
    # One room per API group, with a file per kind.
    "admissionregistration: row shared"
    "apiextensions: row"
    "apiregistration: row shared"
    "apps: pod_template row shared volumes"
    "autoscaling: row shared"
    "batch: pod_template row shared"
    "certificates: row"
    "coordination: row"
    "core: pod_template row shared volumes"
    "discovery: row shared"
    "events: core row"
    "flowcontrol: row shared"
    "internal: row"
    "networking: row shared"
    "node: pod_template row shared"
    "policy: row shared"
    "rbac: row shared"
    "resource: row shared"
    "scheduling: row shared"
    "storage: row shared volumes"
    "storagemigration: row"
    "table: row"  # the list of all rows; BuiltInKind, which implements registry/kind for them
  DEPS custom)

# Compiles the rules of kinds; an error in one ends the build.
tab_rules(tab_kinds "${CMAKE_CURRENT_SOURCE_DIR}/kinds")
