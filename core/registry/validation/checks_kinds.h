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

struct NamedRules {
  std::string_view name, rules;
};

// By subject. A list ends with an empty row.
extern const NamedCheck kCoreChecks[];
extern const NamedCheck kNetworkChecks[];
extern const NamedCheck kStorageChecks[];
extern const NamedCheck kAdmissionChecks[];
extern const NamedCheck kScalingChecks[];
extern const NamedRules kVolumeRules[];
extern const NamedRules kAdmissionShared[];
extern const NamedRules kDeviceShared[];

// Zero if there is none.
Quantity quantity_of(const Field& field);

}  // namespace tabernetes::registry::validation
