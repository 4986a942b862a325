// The formats that rules name (`is:label`). Each function returns the faults of a text.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/api/names.h"
#include "rules/field.h"

namespace tabernetes::registry::validation {

using Format = Faults (*)(std::string_view text);

// Returns the format of that number in the table of names, which may depend on feature gates.
// REQUIRES: it exists.
Format format_at(std::size_t number, const Capabilities& capabilities);

Faults port_name_faults(std::string_view text);
// Return the formats of old fields, ip_faults and cidr_faults, or what accepts any spelling if the
// feature gate StrictIPCIDRValidation is off.
Format ip_format(const Capabilities& capabilities);
Format cidr_format(const Capabilities& capabilities);
// Accept any spelling of an address, except leading zeros and IPv4-mapped IPv6.
Faults ip_faults(std::string_view text);
Faults cidr_faults(std::string_view text);
// For new fields: the canonical spelling only.
Faults canonical_ip_faults(std::string_view text);
Faults canonical_cidr_faults(std::string_view text);
// Rejects unspecified, loopback, link-local and multicast addresses.
Faults endpoint_ip_faults(std::string_view text);
Faults c_identifier_faults(std::string_view text);

}  // namespace tabernetes::registry::validation
