// What the files of checks share; only they include this.
#pragma once

#include <string_view>

#include "base/quantity.h"
#include "registry/validation/checks.h"
#include "registry/validation/formats.h"

namespace tabernetes::registry::validation {

struct NamedCheck {
  std::string_view name;
  Check check = nullptr;
};

struct NamedPredicate {
  std::string_view name;
  Predicate ask = nullptr;
};

struct NamedRules {
  std::string_view name, rules;
};

// By subject. A list ends with an empty row.
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
// Of kinds/default_rules.
extern const NamedCheck kDefaultChecks[];
extern const NamedRules kSharedDefaults[];
extern const NamedRules kPodRules[];
extern const NamedRules kVolumeRules[];
extern const NamedRules kAdmissionShared[];
extern const NamedRules kDeviceShared[];

Faults sysctl_faults(std::string_view text);

// Zero if there is none.
Quantity quantity_of(const Field& field);

}  // namespace tabernetes::registry::validation
