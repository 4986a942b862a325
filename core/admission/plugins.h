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
Result<void> check_quotas(const AdmissionRequest& request, PluginState& state);

}  // namespace tabernetes::admission
