// X.509 certificates, as far as a server has to look at them that trusts none by itself: whether
// they are well formed, in the words of Go's crypto/x509, and what key they carry. What is inside
// extensions is not looked at, nor whether a point is on its curve.
#pragma once

#include <string>
#include <string_view>

namespace tabernetes {

struct Certificate {
  std::string fault;            // "x509: malformed certificate"; empty: none
  std::string_view algorithm;   // of the public key: the OID's contents
  std::string_view public_key;  // of RSA a sequence of two numbers

  static constexpr std::string_view kRsa = "\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01";
  static constexpr std::string_view kEc = "\x2a\x86\x48\xce\x3d\x02\x01";
};

// The views are of `der`.
Certificate read_certificate(std::string_view der);

// Why a text in PEM names nobody to trust, "unable to load root certificates: ..."; empty if it
// has a certificate that is well formed. Source: upstream 1.36 client-go transport.go,
// rootCertPool.
std::string root_certificates_fault(std::string_view pem);

}  // namespace tabernetes
