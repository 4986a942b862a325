#include "controllers/batch/ttl_after_finished.h"

#include <algorithm>

#include "controllers/batch/job_conditions.h"
#include "controllers/shared/objects.h"
#include "json/access.h"
#include "registry/meta/conditions.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

// Returns when the job is to be deleted, or nullopt.
std::optional<Time> expiry_of(const Value& job) {
  const std::string_view condition = finished_condition(job);
  if (condition.empty() || is_terminating(job) || !has(job, {"spec", "ttlSecondsAfterFinished"})) {
    return std::nullopt;
  }
  const auto finished = time_at(*registry::find_condition(job, condition), {"lastTransitionTime"});
  if (!finished) return std::nullopt;
  return *finished + Duration::from_seconds(number_at(job, {"spec", "ttlSecondsAfterFinished"}));
}

}  // namespace

void TtlAfterFinished::on_change(const registry::Registry&, const WatchEvent& change) {
  if (!is(change.type, kJobs) || change.now == nullptr) return;
  const auto expiry = expiry_of(change.object_now.get());
  if (expiry) {
    queue_.add(queue_key(change.ns, change.name), std::max(*expiry, change.due()));
  }
}

void TtlAfterFinished::reconcile(const ReconcileContext& cluster, const std::string& key) {
  const auto [ns, name] = split_queue_key(key);
  const Value job = get(cluster, kJobs, ns, name);
  const std::optional<Time> expiry = job.is_null() ? std::nullopt : expiry_of(job);
  if (!expiry) return;
  if (*expiry > cluster.now) {
    queue_.add(key, *expiry);
    return;
  }
  (void)delete_object(cluster, ref_of(cluster, kJobs, job), uid_of(job),
                      registry::Propagation::kForeground);
}

}  // namespace tabernetes::controllers
