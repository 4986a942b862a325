// What control loops get from the server and its host: certificates, and the authorizer's answers.
#pragma once

#include <string>

#include "admission/access.h"
#include "tabernetes/certificates.h"

namespace tabernetes::controllers {

struct LoopHost {
  CertificateSigner sign_certificate;  // empty: nobody signs
  std::string root_certificate;        // PEM; empty: there is none to publish
  admission::AccessCheck access;
};

}  // namespace tabernetes::controllers
