#include "base/crypto/hash.h"

#include <cstddef>

#include "base/text/ascii.h"
#include "mbedtls/sha256.h"
#include "mbedtls/sha512.h"

namespace tabernetes {
namespace {

const unsigned char* data_of(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

}  // namespace

std::string sha512_hex_upper(std::string_view bytes) {
  unsigned char digest[64] = {};
  mbedtls_sha512(data_of(bytes), bytes.size(), digest, 0);  // can fail only with hardware engines
  return hex_text({reinterpret_cast<const char*>(digest), sizeof digest}, kUpperHexDigits);
}

std::string sha256_hex(std::string_view bytes) { return hex_text(sha256(bytes)); }

std::string sha256(std::string_view bytes) {
  std::string digest(32, '\0');
  mbedtls_sha256(data_of(bytes), bytes.size(), reinterpret_cast<unsigned char*>(digest.data()), 0);
  return digest;
}

}  // namespace tabernetes
