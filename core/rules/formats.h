// The formats that rules name (`is:label`). Each lists what is wrong with a text.
#pragma once

#include <string_view>

#include "base/names.h"

namespace tabernetes::registry::validation {

using Format = Faults (*)(std::string_view text);

// REQUIRES: there is a format of that name.
Format find_format(std::string_view name);

Faults port_name_faults(std::string_view text);
// As old fields take them: any spelling of an address, but without leading zeros, and IPv4 not
// within IPv6.
Faults ip_faults(std::string_view text);
Faults cidr_faults(std::string_view text);

}  // namespace tabernetes::registry::validation
