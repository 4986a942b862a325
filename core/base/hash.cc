#include "base/hash.h"

#include <cstddef>

#include "mbedtls/sha256.h"
#include "mbedtls/sha512.h"

namespace tabernetes {
namespace {

template <std::size_t kSize>
std::string hex(const unsigned char (&digest)[kSize], const char* digits) {
  std::string text;
  text.reserve(kSize * 2);
  for (const unsigned char byte : digest) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

const unsigned char* data_of(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

}  // namespace

std::string sha512_hex_upper(std::string_view bytes) {
  unsigned char digest[64] = {};
  mbedtls_sha512(data_of(bytes), bytes.size(), digest, 0);  // can fail only with hardware engines
  return hex(digest, "0123456789ABCDEF");
}

std::string sha256_hex(std::string_view bytes) {
  unsigned char digest[32] = {};
  mbedtls_sha256(data_of(bytes), bytes.size(), digest, 0);
  return hex(digest, "0123456789abcdef");
}

std::string sha256(std::string_view bytes) {
  std::string digest(32, '\0');
  mbedtls_sha256(data_of(bytes), bytes.size(), reinterpret_cast<unsigned char*>(digest.data()), 0);
  return digest;
}

}  // namespace tabernetes
