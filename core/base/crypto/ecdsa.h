// ECDSA over the curves P-256, P-384 and P-521 with SHA-256, SHA-384 and SHA-512 (ES256, ES384 and
// ES512 of JSON web tokens) by mbedTLS: signing.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tabernetes {

// A private key. Immutable and safe to share between threads.
class EcKey {
 public:
  // Parses PEM, `EC PRIVATE KEY` (SEC 1) or `PRIVATE KEY` (PKCS #8). Returns nullopt if it is
  // malformed or of another curve.
  static std::optional<EcKey> parse_pem(std::string_view pem);

  // Returns both numbers of the signature, each as long as the curve's. Deterministic (RFC 6979):
  // the same key and message give the same signature on every host.
  std::string sign(std::string_view message) const;

  std::string_view algorithm() const { return algorithm_; }  // "ES256"
  std::string_view curve() const { return curve_; }          // "P-256"
  // The coordinates of the public point, big-endian, and the key as a SubjectPublicKeyInfo.
  const std::string& x() const { return x_; }
  const std::string& y() const { return y_; }
  const std::string& public_key_info() const { return public_key_info_; }

 private:
  EcKey() = default;

  std::string pem_;
  std::string_view algorithm_, curve_;
  std::string x_, y_, public_key_info_;
};

}  // namespace tabernetes
