// Digests for continue tokens, ETags and hashed names.
#pragma once

#include <string>
#include <string_view>

namespace tabernetes {

// Return the digest of `bytes`: SHA-512 in upper-case hex, SHA-256 in lower-case hex.
std::string sha512_hex_upper(std::string_view bytes);
std::string sha256_hex(std::string_view bytes);
// Returns SHA-256 as 32 bytes.
std::string sha256(std::string_view bytes);

}  // namespace tabernetes
