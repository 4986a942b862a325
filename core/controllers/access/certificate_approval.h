// Approves the requests of kubelets for client certificates, if whoever asks may create
// certificatesigningrequests/nodeclient or selfnodeclient. Source: upstream 1.36
// pkg/controller/certificates/approver.
#pragma once

#include <string>

#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers {

class CertificateApproval final : public SyncedLoop<CertificateApproval> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  // Keys: names of requests. Fails for a kubelet's request that may not be approved: rights may
  // come later.
  Result<void> sync(const ReconcileContext& cluster, const std::string& name) override;
};

}  // namespace tabernetes::controllers
