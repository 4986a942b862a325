// The admission plugins, one file each. Upstream 1.36: plugin/pkg/admission,
// apiserver/pkg/admission/plugin.
#pragma once

#include <functional>
#include <string_view>

#include "base/api/result.h"
#include "registry/kind/admission.h"

namespace tabernetes::admission {

using registry::AdmissionRequest;

class PolicySet;

// Returns true for DELETE (`object` is null).
inline bool is_deletion(const AdmissionRequest& request) { return request.object.is_null(); }

// Returns a plugin's rejection, a 403.
Failure refusal(const AdmissionRequest& request, std::string_view why);

// Calls `visit` with the objects of a core resource in the request's namespace.
void for_each_in_namespace(const AdmissionRequest& request, std::string_view plural,
                           const std::function<void(const json::Value&)>& visit);

Result<void> set_limit_defaults(const AdmissionRequest& request);
Result<void> check_limits(const AdmissionRequest& request);
Result<void> check_quotas(const AdmissionRequest& request);
Result<void> check_pod_security(const AdmissionRequest& request);
Result<void> check_claim_size(const AdmissionRequest& request);
// `policies` caches compiled policies across requests.
Result<void> check_policies(const AdmissionRequest& request, PolicySet& policies);
Result<void> set_service_account(const AdmissionRequest& request);

}  // namespace tabernetes::admission
