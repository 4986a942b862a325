// Size limits of request bodies. See max_body_bytes() in tabernetes/http.h.
#pragma once

#include <cstddef>

namespace tabernetes::server {

// For requests to the API.
inline constexpr std::size_t kMaxBodyBytes = 3 * 1024 * 1024;

}  // namespace tabernetes::server
