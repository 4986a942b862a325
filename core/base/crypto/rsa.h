// RSASSA-PKCS1-v1_5 with SHA-256 (RS256 of JSON web tokens) by mbedTLS: signing and verification.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tabernetes {

// A private key. Immutable and safe to share between threads.
class RsaKey {
 public:
  RsaKey(RsaKey&&) noexcept;
  RsaKey& operator=(RsaKey&&) noexcept;
  ~RsaKey();

  // Parses PEM, `RSA PRIVATE KEY` (PKCS #1) or `PRIVATE KEY` (PKCS #8). Returns nullopt if it is
  // malformed, inconsistent, or not of 1024 to 8192 bits.
  static std::optional<RsaKey> parse_pem(std::string_view pem);

  // Deterministic: the same key and message give the same signature on every host.
  std::string sign(std::string_view message) const;
  bool verify(std::string_view message, std::string_view signature) const;

  // Return the modulus and the exponent, big-endian, and both as a SubjectPublicKeyInfo.
  std::string modulus() const;
  std::string exponent() const;
  std::string public_key_info() const;

 private:
  struct State;
  explicit RsaKey(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace tabernetes
