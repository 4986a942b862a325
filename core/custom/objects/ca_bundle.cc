#include "custom/objects/ca_bundle.h"

#include "base/base64.h"
#include "base/certificate.h"

namespace tabernetes::registry::custom {

std::string ca_bundle_fault(std::string_view text) {
  if (text.empty()) return {};
  return root_certificates_fault(base64_decode(text).value_or(std::string()));
}

}  // namespace tabernetes::registry::custom
