// Forms of a request target (RFC 9112, section 3.2).
#pragma once

#include <string_view>

namespace tabernetes::host {

struct AbsoluteForm {
  std::string_view authority;  // empty for the usual form, "/path?query"
  std::string_view target;     // the target for the core
};

// Splits "http://HOST[:PORT]/path?query", which clients send to a proxy. Every other target is
// returned as it is. The views are into `target`.
AbsoluteForm split_absolute_form(std::string_view target);

}  // namespace tabernetes::host
