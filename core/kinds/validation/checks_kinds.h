// Declarations shared by the files of checks; included only there.
#pragma once

#include <string_view>

#include "base/quantity.h"
#include "kinds/validation/checks.h"
#include "rules/formats.h"

namespace tabernetes::registry::validation {

// Tables by subject. Each ends with an empty row.
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
extern const NamedRules kWorkloadShared[];
extern const NamedRules kPodRules[];
extern const NamedRules kVolumeRules[];
extern const NamedRules kAdmissionShared[];
extern const NamedRules kDeviceShared[];

// Returns zero if there is no quantity.
Quantity quantity_of(const Field& field);

}  // namespace tabernetes::registry::validation
