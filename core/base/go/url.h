// Validation of URLs with Go's rules.
#pragma once

#include <string_view>

namespace tabernetes {

// Returns whether net/url's ParseRequestURI (Go 1.26) accepts `text`. For an address in brackets
// only the character set is checked.
bool is_go_request_uri(std::string_view text);

}  // namespace tabernetes
