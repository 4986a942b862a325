// The certificate with which clients verify the server, as controllers publish it.
#pragma once

#include <string_view>

#include "controllers/loop/control_loop.h"

namespace tabernetes::controllers {

// For hosts without one: a placeholder with the form of a certificate; its private key was
// discarded.
inline constexpr std::string_view kPlaceholderCertificate =
    R"(-----BEGIN CERTIFICATE-----
MIIBgDCCASegAwIBAgIUdeUBGiMky5ZA2Xf2Cc9lnj7QlgMwCgYIKoZIzj0EAwIw
FTETMBEGA1UEAwwKa3ViZXJuZXRlczAgFw0yNjExMjIwODQ4MjdaGA8yMTI2MTAy
OTA4NDgyN1owFTETMBEGA1UEAwwKa3ViZXJuZXRlczBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABNRBIXYsl/0WC+l/emZ5pOzAXJcQEbBM9hofiPOE0IRVx8hK2D7o
oFA1XnrVQNFwq+QITfMsdtMb8sInQlHZdE+jUzBRMB0GA1UdDgQWBBQ6lS0b8K2k
uMKHkJeMCB9E/wgEqDAfBgNVHSMEGDAWgBQ6lS0b8K2kuMKHkJeMCB9E/wgEqDAP
BgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0cAMEQCIGH8sL4+rv8is4m2ibG5
vW41DD6c6u+UNviyGnWeCb+HAiBJ+p8gCAQc8/iSY0231clnkmfL5hJSW1iOPOn7
waJtDQ==
-----END CERTIFICATE-----
)";

inline std::string_view root_certificate_of(const ReconcileContext& cluster) {
  const bool known = cluster.host != nullptr && !cluster.host->root_certificate.empty();
  return known ? std::string_view(cluster.host->root_certificate) : kPlaceholderCertificate;
}

}  // namespace tabernetes::controllers
