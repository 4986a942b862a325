// Public keys that verify signatures of JSON web tokens, by mbedTLS: RS256, RS384, RS512, PS256,
// PS384, PS512, ES256, ES384 and ES512.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tabernetes {

// Immutable and safe to share between threads.
class VerificationKey {
 public:
  // Returns the keys of all PEM blocks `PUBLIC KEY`, `RSA PUBLIC KEY` and `CERTIFICATE`, and the
  // public halves of private keys. Other blocks and malformed ones are skipped.
  static std::vector<VerificationKey> parse_pem(std::string_view pem);
  // Return the key with these numbers (big-endian); nullopt if they are none.
  static std::optional<VerificationKey> of_rsa(std::string_view modulus, std::string_view exponent);
  static std::optional<VerificationKey> of_point(std::string_view curve, std::string_view x,
                                                 std::string_view y);

  // Returns false too for an algorithm that is unknown or does not suit the key.
  bool verify(std::string_view algorithm, std::string_view message,
              std::string_view signature) const;

  // As a SubjectPublicKeyInfo.
  const std::string& public_key_info() const { return info_; }

 private:
  explicit VerificationKey(std::string info) : info_(std::move(info)) {}

  std::string info_;
};

}  // namespace tabernetes
