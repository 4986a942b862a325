// Makes keys and certificates (ECDSA over P-256), with OpenSSL.
#pragma once

#include <string>
#include <vector>

#include "tabernetes/certificates.h"

namespace tabernetes::host {

// A certificate and its private key, each as PEM.
struct Certificate {
  std::string pem, key;
};

struct CertificateWish {
  std::string common_name;
  std::vector<std::string> organizations;
  std::vector<std::string> names;  // host names and IP addresses; empty for a client
};

// Returns a new authority that signs for ten years. Throws std::runtime_error if OpenSSL fails.
Certificate make_authority(const std::string& common_name);

// Returns a certificate of a server (if the wish has names) or of a client, signed by `authority`
// for a year. Throws std::runtime_error if the authority is not usable.
Certificate issue_certificate(const Certificate& authority, const CertificateWish& wish);

// Signs what the core orders: see CertificateSigner.
Expected<std::string> sign_order(const Certificate& authority, const CertificateOrder& order);

}  // namespace tabernetes::host
