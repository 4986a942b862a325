// Signs the approved CertificateSigningRequests of the signers kubernetes.io/kube-apiserver-client,
// kube-apiserver-client-kubelet, kubelet-serving and legacy-unknown, if the host can. Source:
// upstream 1.36 pkg/controller/certificates/signer.
#pragma once

#include <string>

#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers {

class CertificateSigning final : public SyncedLoop<CertificateSigning> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  // Keys: names of requests.
  Result<void> sync(const ReconcileContext& cluster, const std::string& name) override;
};

}  // namespace tabernetes::controllers
