// The formats that rules name (`is:label`). Each function returns the faults of a text.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/api/names.h"

namespace tabernetes::registry::validation {

using Format = Faults (*)(std::string_view text);

// Returns the format of that number in the table of names. REQUIRES: it exists.
Format format_at(std::size_t number);

Faults port_name_faults(std::string_view text);
// Accept the formats of old fields: any spelling of an address, except leading zeros and
// IPv4-mapped IPv6.
Faults ip_faults(std::string_view text);
Faults cidr_faults(std::string_view text);
// For new fields: the canonical spelling only.
Faults canonical_ip_faults(std::string_view text);
Faults canonical_cidr_faults(std::string_view text);
// Rejects unspecified, loopback, link-local and multicast addresses.
Faults endpoint_ip_faults(std::string_view text);
Faults c_identifier_faults(std::string_view text);

}  // namespace tabernetes::registry::validation
