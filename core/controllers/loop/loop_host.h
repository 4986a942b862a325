// What control loops get from the server and its host: certificates, the authorizer's answers, and
// those of aggregated API servers.
#pragma once

#include <string>

#include "admission/access.h"
#include "controllers/loop/aggregated_calls.h"
#include "tabernetes/certificates.h"

namespace tabernetes::controllers {

struct LoopHost {
  CertificateSigner sign_certificate;  // empty: nobody signs
  std::string root_certificate;        // PEM; empty: there is none to publish
  admission::AccessCheck access;
  AggregatedCalls* aggregated = nullptr;  // null: the host reaches no other servers
  bool storage_expires = false;           // the storage deletes Events when their time is over
};

}  // namespace tabernetes::controllers
