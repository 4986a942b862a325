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

// By subject. A list ends with an empty row.
extern const NamedCheck kNetworkChecks[];
extern const NamedCheck kScalingChecks[];

// Zero if there is none.
Quantity quantity_of(const Field& field);

}  // namespace tabernetes::registry::validation
