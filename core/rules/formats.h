// The formats that rules name (`is:label`). Each function returns the faults of a text.
#pragma once

#include <string_view>

#include "base/names.h"

namespace tabernetes::registry::validation {

using Format = Faults (*)(std::string_view text);

// Returns the format. REQUIRES: it exists.
Format find_format(std::string_view name);

Faults port_name_faults(std::string_view text);
// Accept the formats of old fields: any spelling of an address, except leading zeros and
// IPv4-mapped IPv6.
Faults ip_faults(std::string_view text);
Faults cidr_faults(std::string_view text);

}  // namespace tabernetes::registry::validation
