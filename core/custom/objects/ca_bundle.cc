#include "custom/objects/ca_bundle.h"

#include "base/crypto/certificate.h"
#include "base/text/base64.h"

namespace tabernetes::registry::custom {

std::string ca_bundle_fault(std::string_view text) {
  if (text.empty()) return {};
  return root_certificates_fault(base64_decode(text).value_or(std::string()));
}

}  // namespace tabernetes::registry::custom
