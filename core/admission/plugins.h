// The phases of the admission plugins, one file per plugin. Source: upstream 1.36
// plugin/pkg/admission, apiserver/pkg/admission/plugin.
#pragma once

#include "admission/plugin.h"

namespace tabernetes::admission {

Result<void> check_namespace(const AdmissionRequest& request, Memory& memory);
Result<void> set_limit_defaults(const AdmissionRequest& request, Memory& memory);
Result<void> check_limits(const AdmissionRequest& request, Memory& memory);
Result<void> set_service_account(const AdmissionRequest& request, Memory& memory);
Result<void> taint_new_node(const AdmissionRequest& request, Memory& memory);
Result<void> check_pod_security(const AdmissionRequest& request, Memory& memory);
Result<void> set_priority(const AdmissionRequest& request, Memory& memory);
Result<void> tolerate_node_failures(const AdmissionRequest& request, Memory& memory);
Result<void> set_storage_class(const AdmissionRequest& request, Memory& memory);
Result<void> protect_in_use(const AdmissionRequest& request, Memory& memory);
Result<void> check_claim_size(const AdmissionRequest& request, Memory& memory);
Result<void> apply_runtime_class(const AdmissionRequest& request, Memory& memory);
Result<void> check_overhead(const AdmissionRequest& request, Memory& memory);
Result<void> set_ingress_class(const AdmissionRequest& request, Memory& memory);
Result<void> check_policies(const AdmissionRequest& request, Memory& memory);
Result<void> check_quotas(const AdmissionRequest& request, Memory& memory);

}  // namespace tabernetes::admission
