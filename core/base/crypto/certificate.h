// Minimal X.509 reading for a server that verifies no chains itself: checks the syntax, with the
// error messages of Go's crypto/x509, and extracts the public key. The contents of extensions are
// not checked, nor whether a point is on its curve.
#pragma once

#include <string>
#include <string_view>

namespace tabernetes {

struct Certificate {
  std::string fault;            // "x509: malformed certificate"; empty if valid
  std::string_view algorithm;   // of the public key: the contents of its OID
  std::string_view public_key;  // for RSA, a sequence of two numbers

  static constexpr std::string_view kRsa = "\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01";
  static constexpr std::string_view kEc = "\x2a\x86\x48\xce\x3d\x02\x01";
};

// Returns views of `der`.
Certificate read_certificate(std::string_view der);

// Returns why `pem` has no usable root certificate ("unable to load root certificates: ..."), or an
// empty string if it contains a well-formed one. Source: upstream 1.36 client-go transport.go,
// rootCertPool.
std::string root_certificates_fault(std::string_view pem);

}  // namespace tabernetes
