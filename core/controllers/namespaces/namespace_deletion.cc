#include "controllers/namespaces/namespace_deletion.h"

#include <algorithm>

#include "base/time/rfc3339.h"
#include "controllers/namespaces/aggregated_content.h"
#include "controllers/namespaces/namespace_conditions.h"
#include "controllers/namespaces/namespace_content.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr std::string_view kFinalizer = "kubernetes";
// How long after a change of a terminating namespace it is looked at again. Upstream waits as long
// before it begins; here the first look is at once.
constexpr Duration kAfterChange = Duration::from_seconds(5);
constexpr std::int64_t kShortestRetry = 5;  // milliseconds
constexpr std::int64_t kLongestRetry = 60'000;
constexpr std::int64_t kPeriodicRetry = 1000;  // retries that wait as long are periodic work
// Longer than an answer of an aggregated API server takes.
constexpr Duration kNoAnswer = Duration::from_seconds(61);

void forget_answers(const ReconcileContext& cluster, std::string_view ns) {
  if (AggregatedCalls* calls = cluster.aggregated()) calls->forget(asker_of_namespace(ns));
}

bool is_namespace(const registry::ResourceType& type) {
  return type.resource->group.empty() && type.resource->plural == "namespaces";
}

bool is_finalized(const Value& object) {
  const Value* finalizers = object.at({"spec", "finalizers"});
  return finalizers == nullptr || finalizers->size() == 0;
}

template <typename Mutate>
void change(const ReconcileContext& cluster, const registry::ObjectRef& ref,
            registry::Subresource subresource, const Mutate& mutate) {
  const std::string_view name =
      subresource == registry::Subresource::kStatus ? "status" : "finalize";
  (void)cluster.registry.update(cluster.context(name), ref, subresource,
                                [&](const Value* stored) -> Result<Value> {
                                  if (stored == nullptr) {
                                    return errors::not_found(ref.type->group_resource(), ref.name);
                                  }
                                  Value object = stored->clone(cluster.arena);
                                  mutate(object);
                                  return object;
                                });
}

void write_conditions(const ReconcileContext& cluster, const registry::ObjectRef& ref,
                      const NamespaceContent& content) {
  change(cluster, ref, registry::Subresource::kStatus, [&](Value& object) {
    update_conditions(*object.find("status"), content, cluster.now, cluster.arena);
  });
}

void finalize(const ReconcileContext& cluster, const registry::ObjectRef& ref) {
  change(cluster, ref, registry::Subresource::kFinalize, [&](Value& object) {
    Value& spec = *object.find("spec");
    Value kept = Value::array(cluster.arena);
    for (const Value& name : spec.find("finalizers")->items()) {
      if (name.as_string() != kFinalizer) kept.push_back(cluster.arena, name);
    }
    spec.set(cluster.arena, "finalizers", kept);
  });
}

}  // namespace

void NamespaceDeletion::forget() {
  waiting_.clear();
  failures_.clear();
}

void NamespaceDeletion::on_change(const registry::Registry&, const WatchEvent& change) {
  for (const auto& [ns, waiting] : waiting_) {
    // Rounds up to the first retry that is not in the past.
    const std::int64_t late = (change.time - waiting.first).nanoseconds;
    const std::int64_t period = waiting.period.nanoseconds;
    const std::int64_t turns = late <= 0 ? 0 : (late + period - 1) / period;
    queue_.add(ns, waiting.first + Duration{turns * period});
  }
  waiting_.clear();
  if (!is_namespace(change.type)) return;
  if (change.now == nullptr) {
    failures_.erase(std::string(change.name));
  } else if (registry::offsets_of(*change.now).terminating) {
    const bool begun = change.before != nullptr && registry::offsets_of(*change.before).terminating;
    queue_.add(change.name, begun ? change.due() + kAfterChange : change.due());
  }
}

void NamespaceDeletion::reconcile(const ReconcileContext& cluster, const std::string& ns) {
  const registry::ObjectRef ref{cluster.registry.resources().find("", "v1", "namespaces"), {}, ns};
  const Value object = cluster.read(ref);
  const Value* since = object.is_null() ? nullptr : object.at({"metadata", "deletionTimestamp"});
  if (since == nullptr || is_finalized(object)) return forget_answers(cluster, ns);

  const NamespaceContent content =
      delete_content(cluster, ns, parse_rfc3339(since->as_string()).value_or(cluster.now));
  // A fork of the cluster gets no answers, and asks again.
  if (content.waits) return queue_.add(ns, cluster.now + kNoAnswer, Recurrence::kPeriodic);
  forget_answers(cluster, ns);
  write_conditions(cluster, ref, content);
  if (!content.errors.empty() || !content.undiscovered.empty()) {
    retry_with_backoff(ns, cluster.now, content.elsewhere || !content.undiscovered.empty());
  } else if (content.estimate > 0) {
    retry_after_estimate(ns, cluster.now, content.estimate,
                         content.estimate_is_grace_period || content.elsewhere);
  } else {
    finalize(cluster, ref);
    failures_.erase(ns);
  }
}

void NamespaceDeletion::retry_after_estimate(const std::string& ns, Time now, std::int64_t estimate,
                                             bool time_matters) {
  const Duration wait = Duration::from_seconds(estimate / 2 + 1);
  if (time_matters) {
    queue_.add(ns, now + wait);
  } else {
    waiting_[ns] = {now + wait, wait};
  }
}

void NamespaceDeletion::retry_with_backoff(const std::string& ns, Time now, bool time_matters) {
  const int failures = failures_[ns]++;
  const std::int64_t wait = std::min(kLongestRetry, kShortestRetry << std::min(failures, 20));
  const Time due = now + Duration::from_milliseconds(wait);
  if (time_matters) {
    queue_.add(ns, due, wait < kPeriodicRetry ? Recurrence::kOnce : Recurrence::kPeriodic);
  } else {
    waiting_[ns] = {due, Duration::from_milliseconds(kLongestRetry)};
  }
}

}  // namespace tabernetes::controllers
