// The certificate with which clients verify the server, as controllers publish it.
#pragma once

#include <string_view>

namespace tabernetes::controllers {

// A placeholder with the form of a certificate; its private key was discarded.
inline constexpr std::string_view kRootCertificate =
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

}  // namespace tabernetes::controllers
