// The certificates that a conversion webhook is trusted by.
#pragma once

#include <string>
#include <string_view>

namespace tabernetes::registry::custom {

// What is wrong with a webhook's caBundle (in base64, as it is stored); empty: nothing, or there is
// none.
std::string ca_bundle_fault(std::string_view text);

}  // namespace tabernetes::registry::custom
