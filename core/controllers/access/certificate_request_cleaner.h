// Deletes CertificateSigningRequests that are done, or that nobody has answered for a day. Source:
// upstream 1.36 pkg/controller/certificates/cleaner.
#pragma once

#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers {

class CertificateRequestCleaner final : public QueuedLoop<CertificateRequestCleaner> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  // Looks at all of them, once an hour.
  void reconcile(const ReconcileContext& cluster, const std::string& key) override;
};

}  // namespace tabernetes::controllers
