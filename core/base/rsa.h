// RSASSA-PKCS1-v1_5 with SHA-256 (RS256 of JSON web tokens): signing and verifying, by mbedTLS.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tabernetes {

// A private key. Immutable: any thread may use it.
class RsaKey {
 public:
  RsaKey(RsaKey&&) noexcept;
  RsaKey& operator=(RsaKey&&) noexcept;
  ~RsaKey();

  // Reads a PEM text, `RSA PRIVATE KEY` (PKCS #1) or `PRIVATE KEY` (PKCS #8). Nothing if it is
  // none, if its parts do not belong together, or if it is too short or too long (1024 to 8192
  // bits).
  static std::optional<RsaKey> parse_pem(std::string_view pem);

  // The same key and message give the same signature on every host.
  std::string sign(std::string_view message) const;
  bool verify(std::string_view message, std::string_view signature) const;

  // The modulus and the exponent, big-endian; both as a SubjectPublicKeyInfo.
  std::string modulus() const;
  std::string exponent() const;
  std::string public_key_info() const;

 private:
  struct State;
  explicit RsaKey(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace tabernetes
