// The form of resource versions.
#pragma once

#include <algorithm>
#include <string_view>

#include "base/ascii.h"

namespace tabernetes {

// Whether a text is a version of something: a decimal number without leading zeros, of any length.
inline bool is_resource_version(std::string_view text) {
  return !text.empty() && text.front() != '0' && std::all_of(text.begin(), text.end(), is_digit);
}

// What is said of another text.
inline constexpr std::string_view kNoResourceVersion = "resource version is not well formed: ";

}  // namespace tabernetes
