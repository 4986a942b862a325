// The phases of the admission plugins, one file per plugin. Source: upstream 1.36
// plugin/pkg/admission, apiserver/pkg/admission/plugin.
#pragma once

#include "admission/plugin.h"

namespace tabernetes::admission {

Result<void> check_namespace(const AdmissionRequest& request, PluginState& state);
Result<void> set_limit_defaults(const AdmissionRequest& request, PluginState& state);
Result<void> check_limits(const AdmissionRequest& request, PluginState& state);
Result<void> set_service_account(const AdmissionRequest& request, PluginState& state);
Result<void> check_service_account(const AdmissionRequest& request, PluginState& state);
Result<void> taint_new_node(const AdmissionRequest& request, PluginState& state);
Result<void> check_pod_security(const AdmissionRequest& request, PluginState& state);
Result<void> set_priority(const AdmissionRequest& request, PluginState& state);
Result<void> tolerate_node_failures(const AdmissionRequest& request, PluginState& state);
Result<void> set_storage_class(const AdmissionRequest& request, PluginState& state);
Result<void> protect_in_use(const AdmissionRequest& request, PluginState& state);
Result<void> check_claim_size(const AdmissionRequest& request, PluginState& state);
Result<void> apply_runtime_class(const AdmissionRequest& request, PluginState& state);
Result<void> check_overhead(const AdmissionRequest& request, PluginState& state);
Result<void> set_ingress_class(const AdmissionRequest& request, PluginState& state);
Result<void> copy_topology_labels(const AdmissionRequest& request, PluginState& state);
Result<void> check_policies(const AdmissionRequest& request, PluginState& state);
Result<void> apply_policies(const AdmissionRequest& request, PluginState& state);
Result<void> ask_mutating_webhooks(const AdmissionRequest& request, PluginState& state);
Result<void> ask_validating_webhooks(const AdmissionRequest& request, PluginState& state);
Result<void> deny_everything(const AdmissionRequest& request, PluginState& state);
Result<void> check_namespace_exists(const AdmissionRequest& request, PluginState& state);
Result<void> check_anti_affinity(const AdmissionRequest& request, PluginState& state);
Result<void> deny_external_ips(const AdmissionRequest& request, PluginState& state);
Result<void> pull_always(const AdmissionRequest& request, PluginState& state);
Result<void> check_pulls_always(const AdmissionRequest& request, PluginState& state);
Result<void> tolerate_extended_resources(const AdmissionRequest& request, PluginState& state);
Result<void> set_node_selector(const AdmissionRequest& request, PluginState& state);
Result<void> check_approval(const AdmissionRequest& request, PluginState& state);
Result<void> check_signing(const AdmissionRequest& request, PluginState& state);
Result<void> check_attestation(const AdmissionRequest& request, PluginState& state);
Result<void> check_owner_permissions(const AdmissionRequest& request, PluginState& state);
Result<void> restrict_node(const AdmissionRequest& request, PluginState& state);
Result<void> add_tolerations(const AdmissionRequest& request, PluginState& state);
Result<void> check_tolerations(const AdmissionRequest& request, PluginState& state);
Result<void> check_event_rate(const AdmissionRequest& request, PluginState& state);
Result<void> check_certificate_subject(const AdmissionRequest& request, PluginState& state);
Result<void> provide_namespace(const AdmissionRequest& request, PluginState& state);
Result<void> check_image_policy(const AdmissionRequest& request, PluginState& state);
Result<void> check_declared_features(const AdmissionRequest& request, PluginState& state);
Result<void> check_resize(const AdmissionRequest& request, PluginState& state);
Result<void> check_quotas(const AdmissionRequest& request, PluginState& state);

}  // namespace tabernetes::admission
