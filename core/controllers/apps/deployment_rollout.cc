// How a Deployment comes from one template to the next.

#include <algorithm>

#include "controllers/apps/deployment_sync.h"

namespace tabernetes::controllers {

using json::Value;

Result<void> DeploymentSync::roll() {
  TAB_CHECK(find_sets(true));
  TAB_TRY(const bool scaled_up, scale_new_set());
  if (scaled_up) return sync_rollout_status();
  TAB_TRY(const bool scaled_down, scale_down_old_sets());
  if (scaled_down) return sync_rollout_status();
  const Value* status = deployment_.object.find("status");
  if (status != nullptr && is_complete(*status)) TAB_CHECK(clean_up());
  return sync_rollout_status();
}

Result<bool> DeploymentSync::scale_new_set() {
  const std::int64_t wanted = deployment_.replicas();
  if (new_->replicas() == wanted) return false;
  if (new_->replicas() > wanted) return scale_set(*new_, wanted);
  return scale_set(*new_, new_set_replicas(deployment_, all_sets(), *new_));
}

Result<bool> DeploymentSync::scale_down_old_sets() {
  ReplicaSetList older = active_sets(old_);
  if (sum_of_replicas(older) == 0) return false;
  const std::int64_t min_available = deployment_.replicas() - deployment_.max_unavailable();
  const std::int64_t new_unavailable = new_->replicas() - new_->available();
  const std::int64_t most = sum_of_replicas(all_sets()) - min_available - new_unavailable;
  if (most <= 0) return false;
  // As upstream, an error ends this step but not the reconciliation.
  const auto unhealthy = clean_up_unhealthy(older, most);
  if (!unhealthy) return false;
  const auto healthy = scale_down_available(older);
  if (!healthy) return false;
  return *unhealthy + *healthy > 0;
}

// Takes pods that are not available from old sets, the oldest first. Returns how many.
Result<std::int64_t> DeploymentSync::clean_up_unhealthy(ReplicaSetList& older, std::int64_t most) {
  sort_by_creation(older);
  std::int64_t total = 0;
  for (ReplicaSet* set : older) {
    if (total >= most) break;
    if (set->replicas() == 0 || set->replicas() == set->available()) continue;
    const std::int64_t count = std::min(most - total, set->replicas() - set->available());
    if (count < 0) return errors::plain_error("a ReplicaSet has more available pods than wanted");
    TAB_CHECK(scale_set(*set, set->replicas() - count));
    total += count;
  }
  return total;
}

// Takes available pods from old sets as far as enough are left. Returns how many.
Result<std::int64_t> DeploymentSync::scale_down_available(ReplicaSetList& older) {
  ReplicaSetList all = older;
  all.push_back(new_);
  const std::int64_t min_available = deployment_.replicas() - deployment_.max_unavailable();
  const std::int64_t most = sum_of(all, "availableReplicas") - min_available;
  std::int64_t total = 0;
  sort_by_creation(older);
  for (ReplicaSet* set : older) {
    if (total >= most) break;
    if (set->replicas() == 0) continue;
    const std::int64_t count = std::min(set->replicas(), most - total);
    TAB_CHECK(scale_set(*set, set->replicas() - count));
    total += count;
  }
  return total;
}

Result<void> DeploymentSync::recreate() {
  TAB_CHECK(find_sets(false));
  bool scaled_down = false;
  for (ReplicaSet* set : active_sets(old_)) {
    TAB_TRY(const bool scaled, scale_set(*set, 0));
    scaled_down = scaled_down || scaled;
  }
  if (scaled_down || old_pods_run()) return sync_rollout_status();
  if (new_ == nullptr) TAB_CHECK(find_sets(true));
  TAB_CHECK(scale_set(*new_, deployment_.replicas()));
  const Value* status = deployment_.object.find("status");
  if (status != nullptr && is_complete(*status)) TAB_CHECK(clean_up());
  return sync_rollout_status();
}

bool DeploymentSync::old_pods_run() const {
  if (sum_of(old_, "replicas") > 0) return true;
  for (const ReplicaSet* set : old_) {
    for (const PodSummary* pod : cluster_.informers.pods_of(set->uid())) {
      if (!pod->terminal()) return true;
    }
  }
  return false;
}

}  // namespace tabernetes::controllers
