// Digests: what continue tokens, ETags and hashes of names are made of.
#pragma once

#include <string>
#include <string_view>

namespace tabernetes {

// SHA-512 and SHA-256 of `bytes` as upper-case and lower-case hexadecimal digits.
std::string sha512_hex_upper(std::string_view bytes);
std::string sha256_hex(std::string_view bytes);
// SHA-256 as 32 bytes.
std::string sha256(std::string_view bytes);

}  // namespace tabernetes
