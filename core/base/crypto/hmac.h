// Message authentication by a shared key.
#pragma once

#include <string>
#include <string_view>

namespace tabernetes {

// Returns HMAC with SHA-256 as 32 bytes. Source: RFC 2104.
std::string hmac_sha256(std::string_view key, std::string_view bytes);

}  // namespace tabernetes
