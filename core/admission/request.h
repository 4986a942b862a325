// Functions that plugins share.
#pragma once

#include <functional>
#include <string_view>

#include "admission/plugin.h"
#include "base/api/result.h"

namespace tabernetes::admission {

inline bool is_deletion(const AdmissionRequest& request) {
  return request.operation == registry::Operation::kDelete;
}

// Returns true if the request addresses a Namespace or a subresource of one.
bool is_namespace(const AdmissionRequest& request);

// Return whether webhooks, or policies, do not see the request: the server's own writes, and those
// to what configures them; policies see webhook configurations, but no reviews.
bool is_exempt_from_webhooks(const AdmissionRequest& request);
bool is_exempt_from_policies(const AdmissionRequest& request);

// Returns whether an update leaves metadata.generation, and so the spec, as it is. REQUIRES: there
// is an old object; in the validating phase.
bool keeps_generation(const AdmissionRequest& request);

// Returns a plugin's rejection, a 403.
Failure refusal(const AdmissionRequest& request, std::string_view why);

// Calls `visit` with the objects of a core resource in the request's namespace.
void for_each_in_namespace(const AdmissionRequest& request, std::string_view plural,
                           const std::function<void(const json::Value&)>& visit);

}  // namespace tabernetes::admission
