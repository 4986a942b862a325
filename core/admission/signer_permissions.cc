// CertificateApproval, CertificateSigning, ClusterTrustBundleAttest: whoever approves or signs a
// request, or vouches for a bundle, must have the right for its signer. Source: upstream 1.36
// plugin/pkg/admission/certificates/{approval,signing,ctbattest}.

#include "admission/plugin_state.h"
#include "admission/plugins.h"
#include "admission/request.h"
#include "base/go/text.h"
#include "json/access.h"
#include "json/equality.h"
#include "registry/kind/write_context.h"

namespace tabernetes::admission {
namespace {

using json::Value;

Result<void> check_signer(const AdmissionRequest& request, const PluginState& state,
                          std::string_view verb, std::string_view signer, std::string_view what) {
  if (request.context.user == nullptr ||
      may_use_signer(state.may_access, *request.context.user, verb, signer)) {
    return {};
  }
  return refusal(request, "user not permitted to " + std::string(what) + " " + go_quote(signer));
}

}  // namespace

Result<void> check_approval(const AdmissionRequest& request, PluginState& state) {
  // The signer of the stored request: the endpoint cannot change it.
  return check_signer(request, state, "approve", text_at(*request.old, {"spec", "signerName"}),
                      "approve requests with signerName");
}

Result<void> check_signing(const AdmissionRequest& request, PluginState& state) {
  bool changes = false;
  for (const std::string_view member : {"certificate", "conditions"}) {
    const Value* now = request.object.at({"status", member});
    const Value* before = request.old->at({"status", member});
    changes = changes || !json::deep_equal(now, before);
  }
  if (!changes) return {};
  return check_signer(request, state, "sign", text_at(*request.old, {"spec", "signerName"}),
                      "sign requests with signerName");
}

Result<void> check_attestation(const AdmissionRequest& request, PluginState& state) {
  const std::string_view signer = text_at(request.object, {"spec", "signerName"});
  if (signer.empty()) return {};
  if (request.old != nullptr &&
      json::deep_equal(request.object.find("spec"), request.old->find("spec"))) {
    return {};
  }
  return check_signer(request, state, "attest", signer, "attest for signerName");
}

}  // namespace tabernetes::admission
