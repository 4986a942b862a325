// The certificates with which a conversion webhook is verified.
#pragma once

#include <string>
#include <string_view>

namespace tabernetes::registry::custom {

// Returns what is wrong with a caBundle in base64; empty if it is valid or empty.
std::string ca_bundle_fault(std::string_view text);

}  // namespace tabernetes::registry::custom
