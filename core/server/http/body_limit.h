// Size limits of request bodies. See tabernetes/body_limit.h.
#pragma once

#include <cstddef>

namespace tabernetes::server {

// For requests to the API.
inline constexpr std::size_t kMaxBodyBytes = 3 * 1024 * 1024;

}  // namespace tabernetes::server
