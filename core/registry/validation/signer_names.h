// The names of signers of certificates, and of what they sign.
// Source: upstream 1.36 pkg/apis/core/validation/names.go.
#pragma once

#include <string_view>

#include "registry/validation/field.h"

namespace tabernetes::registry::validation {

// "example.com/signer"
void validate_signer_name(const Field& name);
// One that Kubernetes keeps for itself.
bool is_kubernetes_signer(std::string_view name);
// Of a ClusterTrustBundle, as the signer in it says.
Faults trust_bundle_name_faults(std::string_view name);
// Keys with a domain before them.
void validate_user_annotations(const Field& annotations);

}  // namespace tabernetes::registry::validation
