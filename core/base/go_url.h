// URLs as Go reads them.
#pragma once

#include <string_view>

namespace tabernetes {

// Whether net/url's ParseRequestURI (Go 1.26) takes `text`. Of an address in brackets only the
// characters are looked at.
bool is_go_request_uri(std::string_view text);

}  // namespace tabernetes
