// The spec of a PersistentVolumeClaim, of its own or in a template.
// Source: upstream 1.36 pkg/apis/core/validation/validation.go, ValidatePersistentVolumeClaimSpec.
#pragma once

#include "registry/validation/field.h"

namespace tabernetes::registry::validation {

void validate_claim_spec(const Field& spec);

// The template of an ephemeral volume: labels, annotations and a spec.
void validate_claim_template(const Field& claim);

}  // namespace tabernetes::registry::validation
