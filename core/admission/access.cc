#include "admission/access.h"

namespace tabernetes::admission {

bool may_use_signer(const AccessCheck& check, const registry::User& user, std::string_view verb,
                    std::string_view signer) {
  const std::string wildcard(std::string(signer.substr(0, signer.find('/'))) + "/*");
  for (const std::string_view name : {signer, std::string_view(wildcard)}) {
    const AccessQuestion question{user, verb, "certificates.k8s.io", "*", "signers", {}, {}, name};
    if (ask_access(check, question).allowed) return true;
  }
  return false;
}

}  // namespace tabernetes::admission
