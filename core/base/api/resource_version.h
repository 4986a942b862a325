// The form of resource versions.
#pragma once

#include <string_view>

#include "base/text/ascii.h"

namespace tabernetes {

// Returns true for a version of an object: a decimal number of any length without leading zeros.
inline bool is_resource_version(std::string_view text) {
  return is_number(text) && text.front() != '0';
}

// The beginning of the error for other texts.
inline constexpr std::string_view kNoResourceVersion = "resource version is not well formed: ";

}  // namespace tabernetes
