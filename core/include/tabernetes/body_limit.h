// How much of a request's body a host has to pass on.
#pragma once

#include <cstddef>
#include <string_view>

namespace tabernetes {

// The largest body that a request for `target` may have. A host passes on at least one byte more of
// a larger one, so that the core sees it and refuses it with the right Status.
std::size_t max_body_bytes(std::string_view target);

}  // namespace tabernetes
