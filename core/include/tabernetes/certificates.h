// Certificates that a host issues for the core, which does no cryptography with keys of others.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tabernetes/expected.h"
#include "tabernetes/time.h"

namespace tabernetes {

// A request for a certificate that the cluster's authority is to sign.
struct CertificateOrder {
  std::string request;                           // PKCS #10, as PEM
  std::vector<std::string> key_usages;           // names of RFC 5280: "digitalSignature"
  std::vector<std::string> extended_key_usages;  // object identifiers: "1.3.6.1.5.5.7.3.2"
  Duration life;
};

// Checks the signature of the request and returns a certificate as PEM, with its subject, its
// public key and its alternative names, or why there is none. It begins five minutes in the past
// (so that slow clocks take it), and does not outlive its authority. Must not call into the server.
using CertificateSigner = std::function<Expected<std::string>(const CertificateOrder& order)>;

}  // namespace tabernetes
