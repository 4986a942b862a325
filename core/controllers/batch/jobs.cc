#include "controllers/batch/jobs.h"

#include <algorithm>

#include "controllers/batch/job_conditions.h"
#include "controllers/batch/job_sync.h"
#include "controllers/shared/event_recorder.h"
#include "controllers/shared/objects.h"
#include "json/access.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

// Between the retries of a Job, which the API refused something.
constexpr WorkQueue::RateLimit kJobRateLimit{Duration::from_seconds(1), Duration::from_seconds(60)};
constexpr std::string_view kJobControllerName = "kubernetes.io/job-controller";

bool is_managed_elsewhere(const Value& job) {
  const std::string_view manager = text_at(job, {"spec", "managedBy"});
  return !manager.empty() && manager != kJobControllerName;
}

std::optional<Time> earlier_work(std::optional<Time> a, std::optional<Time> b) {
  return a && b ? std::min(*a, *b) : a ? a : b;
}

}  // namespace

void Jobs::resync() {
  jobs_.clear();
  orphans_.clear();
  backoffs_.clear();
  selectors_.clear();
}

std::optional<Time> Jobs::next() const { return earlier_work(jobs_.next(), orphans_.next()); }

std::optional<Time> Jobs::next_once() const {
  return earlier_work(jobs_.next_once(), orphans_.next_once());
}

void Jobs::on_change(const registry::Registry& registry, const WatchEvent& change) {
  if (is(change.type, kJobs)) {
    observe_job(change);
  } else if (change.pod != nullptr || change.pod_before != nullptr) {
    observe_pod(registry, change);
  }
}

void Jobs::observe_job(const WatchEvent& change) {
  const std::string key = queue_key(change.ns, change.name);
  if (change.now == nullptr) backoffs_.erase(key);
  const auto generation = [](const Value& job) {
    return number_at(job, {"metadata", "generation"});
  };
  const bool batched =
      change.before != nullptr && change.now != nullptr &&
      generation(change.object_before.get()) == generation(change.object_now.get());
  jobs_.add(key, batched ? change.time + kJobBatch : change.due());
}

void Jobs::observe_pod(const registry::Registry& registry, const WatchEvent& change) {
  const PodSummary* before = change.pod_before;
  const PodSummary* now = change.pod;
  const PodSummary& pod = now != nullptr ? *now : *before;
  const auto queue_owner = [&](const PodSummary& owned) {
    if (owned.controller_kind != "Job") return;
    jobs_.add(queue_key(owned.ns, owned.controller_name), change.time + kJobBatch);
    if (owned.deletion_timestamp) orphans_.add(queue_key(owned.ns, owned.name), change.due());
  };
  if (before != nullptr && now != nullptr && before->controller_uid != now->controller_uid) {
    queue_owner(*before);
  }
  if (!pod.controller_uid.empty()) {
    queue_owner(pod);
  } else {
    observe_orphan(registry, change);
  }
}

void Jobs::observe_orphan(const registry::Registry& registry, const WatchEvent& change) {
  if (change.now == nullptr) return;
  const registry::ResourceType& jobs = type_of(registry, kJobs);
  const std::string prefix = jobs.collection_prefix(change.ns);
  const std::size_t metadata_end = registry::offsets_of(*change.now).metadata_end;
  if (std::string_view(change.now->bytes).substr(0, metadata_end).find(kJobTracking) !=
      std::string_view::npos) {
    orphans_.add(queue_key(change.ns, change.name), change.due());
  }
  registry.store().tree().scan(
      prefix, store::prefix_end(prefix), [&](std::string_view key, const store::RecordPtr& record) {
        const registry::LabelSelector* selector = selectors_.selector_of(jobs, *record);
        if (selector != nullptr && !selector->empty() && change.pod->matches(*selector)) {
          jobs_.add(queue_key(change.ns, registry::split_key(jobs, key).name),
                    change.time + kJobBatch);
        }
        return true;
      });
}

void Jobs::reconcile_due(const ReconcileContext& cluster) {
  if (const auto pod = orphans_.take(cluster.due)) {
    release_orphan(cluster, *pod);
  } else if (const auto job = jobs_.take(cluster.due)) {
    if (sync(cluster, *job)) {
      jobs_.forget(*job);
    } else {
      jobs_.add_rate_limited(*job, cluster.now, kJobRateLimit);
    }
  }
}

Result<void> Jobs::sync(const ReconcileContext& cluster, const std::string& key) {
  const auto [ns, name] = split_queue_key(key);
  const Value job = get(cluster, kJobs, ns, name);
  if (job.is_null() || is_managed_elsewhere(job)) return {};
  if (!finished_condition(job).empty()) {
    backoffs_.erase(key);
    for (const PodSummary* pod : cluster.informers.pods_of(uid_of(job))) {
      orphans_.add(queue_key(pod->ns, pod->name), cluster.now);
    }
    return {};
  }
  const auto selector = workload_selector(job);
  if (!selector) return {};
  const Owner owner{type_of(cluster.registry, kJobs), job, "job-controller"};
  Informers::Pods pods = cluster.informers.pods_of(owner.uid());
  if (!selector->empty()) {
    const Informers::Pods orphans = cluster.informers.orphan_pods(ns);
    pods.insert(pods.end(), orphans.begin(), orphans.end());
  }
  TAB_TRY(pods, claim_pods(cluster, owner, pods,
                           [&](const PodSummary& pod) { return pod.matches(*selector); }));
  JobSync sync(cluster, job, pods, backoffs_[key]);
  auto result = sync.run();
  if (sync.next()) jobs_.add(key, *sync.next());
  return result;
}

void Jobs::release_orphan(const ReconcileContext& cluster, const std::string& key) {
  const auto [ns, name] = split_queue_key(key);
  const Value pod = get(cluster, kPods, ns, name);
  if (pod.is_null() || !is_tracked_by_job(pod)) return;
  if (const Value* owner = controller_of(pod)) {
    if (owner->string_at("kind") != "Job" || owner->string_at("apiVersion") != "batch/v1") return;
    const Value job = get(cluster, kJobs, ns, owner->string_at("name"));
    const bool exists = !job.is_null() && uid_of(job) == owner->string_at("uid");
    if (exists && (is_managed_elsewhere(job) || finished_condition(job).empty())) return;
  }
  (void)update(cluster, ref_of(cluster, kPods, pod), [&](Value& object) {
    Value& metadata = *object.find("metadata");
    Value left = Value::array(cluster.arena);
    for (const Value& finalizer : items_in(metadata, "finalizers")) {
      if (finalizer.as_string() != kJobTracking) left.push_back(cluster.arena, finalizer);
    }
    metadata.erase("finalizers");
    if (left.size() > 0) metadata.set(cluster.arena, "finalizers", left);
  });
}

}  // namespace tabernetes::controllers
