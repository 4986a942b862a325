#include "base/crypto/hmac.h"

#include "base/crypto/hash.h"

namespace tabernetes {

std::string hmac_sha256(std::string_view key, std::string_view bytes) {
  constexpr std::size_t kBlock = 64;
  std::string padded(key.size() > kBlock ? sha256(key) : std::string(key));
  padded.resize(kBlock);
  std::string inner = padded, outer = padded;
  for (char& byte : inner) byte = static_cast<char>(byte ^ 0x36);
  for (char& byte : outer) byte = static_cast<char>(byte ^ 0x5c);
  return sha256(outer + sha256(inner.append(bytes)));
}

}  // namespace tabernetes
