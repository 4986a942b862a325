// The names that the rules of built-in kinds use: checks (`@labels`) and conditions
// (`?@template`). Included only by the files of checks.
#pragma once

#include "base/api/quantity.h"
#include "rules/formats.h"
#include "rules/rules.h"

namespace tabernetes::registry::validation {

// Tables by subject.
extern const NamedCheck kCommonChecks[];
extern const NamedCheck kCoreChecks[];
extern const NamedCheck kNetworkChecks[];
extern const NamedCheck kStorageChecks[];
extern const NamedCheck kAdmissionChecks[];
extern const NamedCheck kScalingChecks[];
extern const NamedCheck kWorkloadChecks[];
extern const NamedCheck kJobChecks[];
extern const NamedCheck kPodChecks[];
extern const NamedCheck kPodVolumeChecks[];
extern const NamedCheck kPodStatusChecks[];
extern const NamedCheck kSecurityChecks[];
extern const NamedPredicate kPodPredicates[];
extern const NamedPredicate kSecurityPredicates[];
extern const NamedPredicate kWorkloadPredicates[];
extern const NamedPredicate kPodStatusPredicates[];

// Checks a port number or a port name.
void check_port(const Place& place);
// Checks that a quantity is greater than zero.
void check_above_zero(const Place& place);

// Returns zero if there is no quantity.
Quantity quantity_of(const Field& field);

}  // namespace tabernetes::registry::validation
