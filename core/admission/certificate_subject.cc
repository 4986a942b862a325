// CertificateSubjectRestriction: nobody gets a client certificate for the group system:masters from
// the signer of the API server. Source: upstream 1.36
// plugin/pkg/admission/certificates/subjectrestriction.

#include <algorithm>

#include "admission/plugins.h"
#include "admission/request.h"
#include "base/crypto/certificate_request.h"
#include "base/text/base64.h"
#include "json/access.h"

namespace tabernetes::admission {
namespace {

constexpr std::string_view kSigner = "kubernetes.io/kube-apiserver-client";

}  // namespace

Result<void> check_certificate_subject(const AdmissionRequest& request, PluginState&) {
  if (text_at(request.object, {"spec", "signerName"}) != kSigner) return {};
  const RequestSubject subject = read_request_subject(
      base64_decode(text_at(request.object, {"spec", "request"})).value_or(std::string()));
  if (!subject.fault.empty()) return refusal(request, "failed to parse CSR: " + subject.fault);
  const auto& groups = subject.organizations;
  if (std::find(groups.begin(), groups.end(), "system:masters") == groups.end()) return {};
  return refusal(request, "use of " + std::string(kSigner) +
                              " signer with system:masters group is not allowed");
}

}  // namespace tabernetes::admission
