#include "controllers/apps/stateful_set_sync.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/algorithm/sort.h"
#include "controllers/shared/event_recorder.h"
#include "controllers/shared/pod_control.h"
#include "controllers/shared/workload.h"
#include "json/equality.h"
#include "json/fill.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr std::string_view kRevisionLabel = "controller-revision-hash";
constexpr std::string_view kHashLabel = "controller.kubernetes.io/hash";
constexpr std::string_view kPodNameLabel = "statefulset.kubernetes.io/pod-name";

const registry::ResourceType& stateful_pods_type(const ReconcileContext& cluster) {
  return built_in(cluster.registry, "", "v1", "pods");
}

}  // namespace

StatefulSetSync::StatefulSetSync(const ReconcileContext& cluster, const Owner& set,
                                 Informers::Pods pods, Revisions revisions)
    : cluster_(cluster),
      arena_(cluster.arena),
      set_(set),
      pods_(std::move(pods)),
      revisions_(std::move(revisions)),
      min_ready_(number_at(set.object, {"spec", "minReadySeconds"})),
      claims_(cluster, set) {}

Result<void> StatefulSetSync::run() {
  TAB_CHECK(find_revisions());
  place_pods();
  count_pods();
  Result<void> done;
  if (!set_.terminating()) done = bring_about();
  Result<void> written = write_status();
  if (!done) return done;
  if (!written) return written;
  return truncate_history();
}

std::optional<Time> StatefulSetSync::next_check() const {
  std::optional<Time> first;
  if (min_ready_ <= 0) return first;
  for (const PodSummary* pod : pods_) {
    const auto next = pod->next_availability(min_ready_, cluster_.now);
    if (next && (!first || *next < *first)) first = next;
  }
  return first;
}

// Finds the revision of the present template, or makes it, and that of the status.
Result<void> StatefulSetSync::find_revisions() {
  collisions_ = number_at(set_.object, {"status", "collisionCount"});
  const Value& pod_template = *set_.object.at({"spec", "template"});
  const Value data = revision_data(pod_template, arena_);
  const Revision* equal = nullptr;
  for (const Revision& revision : revisions_) {
    if (same_data(revision, data)) equal = &revision;
  }
  const std::int64_t number = next_revision(revisions_);
  if (equal != nullptr && equal->number() == revisions_.back().number()) {
    update_ = revisions_.back();
  } else if (equal != nullptr) {
    TAB_TRY(update_, renumber_revision(cluster_, *equal, number));
  } else {
    const Value* labels = pod_template.at({"metadata", "labels"});
    Value revision_labels = labels == nullptr ? Value::object(arena_) : labels->clone(arena_);
    revision_labels.set(arena_, kHashLabel,
                        Value::string(arena_.copy(revision_hash(data, collisions_))));
    for (;; ++collisions_) {
      const std::string hash = revision_hash(data, collisions_);
      auto made = create_revision(
          cluster_, set_, {revision_name(set_.name(), hash), revision_labels, data, number});
      if (made) {
        update_ = *made;
        break;
      }
      if (made.error().reason != "AlreadyExists") return std::move(made).failure();
      const registry::ResourceType& type =
          built_in(cluster_.registry, "apps", "v1", "controllerrevisions");
      const Revision existing{
          cluster_.read({&type, set_.ns(), arena_.copy(revision_name(set_.name(), hash))})};
      if (!existing.object.is_null() && same_data(existing, data)) {
        update_ = existing;
        break;
      }
    }
  }
  current_ = update_;
  const std::string_view named = text_at(set_.object, {"status", "currentRevision"});
  for (const Revision& revision : revisions_) {
    if (revision.name() == named) current_ = revision;
  }
  return {};
}

StatefulSetSync::Replica StatefulSetSync::replica_of(const PodSummary& pod) const {
  return {&pod,
          {std::string(pod.name), std::string(pod.uid), parse_stateful_name(pod.name).ordinal},
          std::string(pod.label(kRevisionLabel).value_or(std::string_view()))};
}

// A pod below the partition has the current revision; without a partition, so many as there were.
StatefulSetSync::Replica StatefulSetSync::missing_replica(std::int64_t ordinal) const {
  const Value* strategy = set_.object.at({"spec", "updateStrategy"});
  bool current = false;
  if (strategy != nullptr && strategy->string_at("type") == "RollingUpdate") {
    const Value* rolling = strategy->find("rollingUpdate");
    const std::int64_t kept = rolling != nullptr
                                  ? number_at(*rolling, {"partition"})
                                  : number_at(set_.object, {"status", "currentReplicas"});
    current = ordinal < start_ordinal(set_) + kept;
  }
  const std::string name = std::string(set_.name()) + "-" + std::to_string(ordinal);
  return {nullptr, {name, "", ordinal}, std::string((current ? current_ : update_).name())};
}

void StatefulSetSync::place_pods() {
  const std::int64_t start = start_ordinal(set_);
  const std::int64_t count = number_at(set_.object, {"spec", "replicas"});
  for (std::int64_t i = 0; i < count; ++i) replicas_.push_back(missing_replica(start + i));
  for (const PodSummary* pod : pods_) {
    Replica replica = replica_of(*pod);
    const std::int64_t ordinal = replica.identity.ordinal;
    if (ordinal >= start && ordinal < start + count) {
      replicas_[static_cast<std::size_t>(ordinal - start)] = std::move(replica);
    } else if (ordinal >= 0) {
      condemned_.push_back(std::move(replica));
    }
  }
  sort_stable(condemned_, [](const Replica& a, const Replica& b) {
    return a.identity.ordinal > b.identity.ordinal;
  });
  for (const Replica& replica : replicas_) {
    if (first_unavailable_ == nullptr && is_unavailable(replica)) first_unavailable_ = &replica;
  }
  for (std::size_t i = condemned_.size(); i-- > 0;) {
    if (first_unavailable_ == nullptr && is_unavailable(condemned_[i])) {
      first_unavailable_ = &condemned_[i];
    }
  }
}

bool StatefulSetSync::is_unavailable(const Replica& replica) const {
  return replica.pod == nullptr || !replica.pod->available(min_ready_, cluster_.now) ||
         replica.pod->deletion_timestamp;
}

bool StatefulSetSync::one_by_one() const {
  return text_at(set_.object, {"spec", "podManagementPolicy"}) != "Parallel";
}

template <typename Replicas, typename Do>
Result<StatefulSetSync::Step> StatefulSetSync::for_all(const Replicas& replicas,
                                                       const Do& step) const {
  if (one_by_one()) {
    for (const Replica& replica : replicas) {
      TAB_TRY(const Step next, step(replica));
      if (next == Step::kWait) return Step::kWait;
    }
    return Step::kNext;
  }
  std::size_t done = 0;
  auto all = slow_start_batch(static_cast<std::int64_t>(replicas.size()), [&]() -> Result<void> {
    TAB_CHECK(step(replicas[done++]));
    return {};
  });
  if (!all) return std::move(all).failure();
  return Step::kNext;
}

Result<void> StatefulSetSync::bring_about() {
  TAB_TRY(const Step created,
          for_all(replicas_, [&](const Replica& replica) { return process_replica(replica); }));
  if (created == Step::kWait) return {};
  TAB_TRY(const Step fixed, for_all(condemned_, [&](const Replica& replica) -> Result<Step> {
            if (!claims_.match_retention_policy(replica.identity)) {
              TAB_CHECK(claims_.apply_retention_policy(replica.identity));
            }
            return Step::kNext;
          }));
  if (fixed == Step::kWait) return {};
  TAB_TRY(const Step condemned,
          for_all(condemned_, [&](const Replica& replica) { return process_condemned(replica); }));
  if (condemned == Step::kWait) return {};
  if (text_at(set_.object, {"spec", "updateStrategy", "type"}) == "OnDelete") return {};
  return update_pods();
}

Result<StatefulSetSync::Step> StatefulSetSync::process_replica(const Replica& replica) {
  const PodSummary* pod = replica.pod;
  if (pod == nullptr) {
    if (claims_.is_stale(replica.identity)) return Step::kWait;
    TAB_CHECK(create(replica));
    return one_by_one() ? Step::kWait : Step::kNext;
  }
  if (pod->terminal()) {
    if (!pod->deletion_timestamp) TAB_CHECK(remove(replica));
    return Step::kWait;
  }
  if (pod->phase == PodPhase::kPending) {
    TAB_CHECK(claims_.create_missing(replica.identity));
    TAB_CHECK(claims_.apply_retention_policy(replica.identity));
  }
  const bool healthy = pod->phase == PodPhase::kRunning &&
                       pod->available(min_ready_, cluster_.now) && !pod->deletion_timestamp;
  if (!healthy && one_by_one()) return Step::kWait;
  if (pod->label(kPodNameLabel) != pod->name || !claims_.match_retention_policy(replica.identity)) {
    TAB_CHECK(update(replica));
  }
  return Step::kNext;
}

Result<StatefulSetSync::Step> StatefulSetSync::process_condemned(const Replica& replica) {
  const PodSummary& pod = *replica.pod;
  if (pod.deletion_timestamp) return one_by_one() ? Step::kWait : Step::kNext;
  const bool healthy = pod.phase == PodPhase::kRunning && pod.available(min_ready_, cluster_.now);
  // The first that is not healthy may go; the others wait for it.
  if (!healthy && one_by_one() && &replica != first_unavailable_) return Step::kWait;
  TAB_CHECK(remove(replica));
  return Step::kWait;
}

bool StatefulSetSync::limits_unavailable() const {
  return cluster_.registry.hook_context(cluster_.context())
      .gates.enabled("MaxUnavailableStatefulSet");
}

Result<void> StatefulSetSync::update_pods() {
  return limits_unavailable() ? delete_as_many_as_allowed() : delete_for_update();
}

// Deletes the pod with the highest ordinal that is not updated, when all above it are available.
Result<void> StatefulSetSync::delete_for_update() {
  const std::int64_t partition =
      number_at(set_.object, {"spec", "updateStrategy", "rollingUpdate", "partition"});
  for (std::int64_t i = static_cast<std::int64_t>(replicas_.size()) - 1; i >= partition; --i) {
    const Replica& replica = replicas_[static_cast<std::size_t>(i)];
    const bool terminating = replica.pod != nullptr && replica.pod->deletion_timestamp;
    if (replica.revision != update_.name() && !terminating) {
      TAB_CHECK(remove(replica));
      --counts_.current;
      return {};
    }
    if (is_unavailable(replica)) return {};
  }
  return {};
}

Result<void> StatefulSetSync::delete_as_many_as_allowed() {
  const Value* rolling = set_.object.at({"spec", "updateStrategy", "rollingUpdate"});
  const auto count = static_cast<std::int64_t>(replicas_.size());
  std::int64_t most = 1, partition = 0;
  if (rolling != nullptr) {
    partition = number_at(*rolling, {"partition"});
    if (const Value* limit = rolling->find("maxUnavailable")) {
      most = std::max<std::int64_t>(1, scaled_value(limit, count, Round::kDown));
    }
  }
  std::int64_t left = most - std::count_if(replicas_.begin(), replicas_.end(),
                                           [&](const Replica& r) { return is_unavailable(r); });
  for (std::int64_t i = count - 1; i >= partition && left > 0; --i) {
    const Replica& replica = replicas_[static_cast<std::size_t>(i)];
    const bool terminating = replica.pod != nullptr && replica.pod->deletion_timestamp;
    if (replica.revision == update_.name() || terminating) continue;
    TAB_CHECK(remove(replica));
    --left;
    --counts_.current;
  }
  return {};
}

void StatefulSetSync::tell(std::string_view verb, const Replica& replica,
                           const ApiStatus* error) const {
  std::string message = std::string(verb) + " Pod " + replica.identity.name + " in StatefulSet " +
                        std::string(set_.name());
  message += error == nullptr ? " successful" : " failed error: " + error->message;
  record_event(cluster_, set_.type, set_.object,
               {set_.source, error == nullptr ? "Normal" : "Warning",
                arena_.copy((error == nullptr ? "Successful" : "Failed") + std::string(verb)),
                arena_.copy(message)});
}

Result<void> StatefulSetSync::create(const Replica& replica) {
  Result<void> claimed = claims_.create_missing(replica.identity);
  if (!claimed) {
    tell("Create", replica, &claimed.error());
    return claimed;
  }
  const Value pod_template =
      template_of(replica.revision == current_.name() ? current_ : update_, arena_);
  const Value pod =
      stateful_pod(set_, pod_template, replica.identity.ordinal, replica.revision, arena_);
  auto created = cluster_.registry.create(cluster_.context(), stateful_pods_type(cluster_),
                                          set_.ns(), pod.clone(arena_));
  if (!created && created.error().reason == "AlreadyExists") return std::move(created).failure();
  Result<void> retained = claims_.apply_retention_policy(replica.identity);
  if (!retained) {
    tell("Update", replica, &retained.error());
    return retained;
  }
  tell("Create", replica, created ? nullptr : &created.error());
  if (!created) return std::move(created).failure();
  return {};
}

// Gives a pod its labels and its claims their owners.
Result<void> StatefulSetSync::update(const Replica& replica) {
  Result<void> retained = claims_.apply_retention_policy(replica.identity);
  if (!retained) {
    tell("Update", replica, &retained.error());
    return retained;
  }
  Value pod = cluster_.read({&stateful_pods_type(cluster_), set_.ns(), replica.identity.name});
  if (pod.is_null()) return {};
  Value& labels = object_or_new(*pod.find("metadata"), "labels", arena_);
  labels.set(arena_, kPodNameLabel, Value::string(replica.identity.name));
  labels.set(arena_, "apps.kubernetes.io/pod-index",
             Value::string(arena_.copy(std::to_string(replica.identity.ordinal))));
  auto updated = update_object(cluster_, stateful_pods_type(cluster_), pod);
  tell("Update", replica, updated ? nullptr : &updated.error());
  if (!updated) return std::move(updated).failure();
  return {};
}

Result<void> StatefulSetSync::remove(const Replica& replica) {
  auto deleted = cluster_.registry.remove(
      cluster_.context(), {&stateful_pods_type(cluster_), set_.ns(), replica.identity.name}, {});
  const bool failed = !deleted && deleted.error().code != 404;
  tell("Delete", replica, failed ? &deleted.error() : nullptr);
  if (failed) return std::move(deleted).failure();
  return {};
}

void StatefulSetSync::count_pods() {
  for (const PodSummary* pod : pods_) {
    ++counts_.replicas;
    if (pod->phase == PodPhase::kRunning && pod->ready) {
      ++counts_.ready;
      if (pod->available(min_ready_, cluster_.now)) ++counts_.available;
    }
    if (pod->deletion_timestamp) continue;
    const auto revision = pod->label(kRevisionLabel);
    if (revision == current_.name()) ++counts_.current;
    if (revision == update_.name()) ++counts_.updated;
  }
}

Result<void> StatefulSetSync::write_status() {
  const std::int64_t wanted = number_at(set_.object, {"spec", "replicas"});
  std::string_view current = current_.name();
  if (text_at(set_.object, {"spec", "updateStrategy", "type"}) == "RollingUpdate" &&
      counts_.updated == wanted && counts_.ready == wanted && counts_.replicas == wanted) {
    counts_.current = counts_.updated;
    current = update_.name();
  }
  const Value* old = set_.object.find("status");
  Value status = Value::object(arena_);
  set_count(status, "observedGeneration", number_at(set_.metadata(), {"generation"}), arena_);
  status.append(arena_, "replicas", Value::integer(counts_.replicas));
  set_count(status, "readyReplicas", counts_.ready, arena_);
  set_count(status, "currentReplicas", counts_.current, arena_);
  set_count(status, "updatedReplicas", counts_.updated, arena_);
  status.append(arena_, "currentRevision", Value::string(current));
  status.append(arena_, "updateRevision", Value::string(update_.name()));
  status.append(arena_, "collisionCount", Value::integer(collisions_));
  status.append(arena_, "availableReplicas", Value::integer(counts_.available));
  if (old != nullptr && deep_equal(*old, status)) return {};
  Value updated = set_.object.shallow_copy(arena_);
  updated.set(arena_, "status", status);
  return update_status(cluster_, set_.type, updated);
}

// Deletes the oldest revisions that no pod has, beyond the limit.
Result<void> StatefulSetSync::truncate_history() {
  std::set<std::string_view> live{current_.name(), update_.name()};
  std::vector<std::string> labels;
  labels.reserve(pods_.size());
  for (const PodSummary* pod : pods_) {
    labels.emplace_back(pod->label(kRevisionLabel).value_or(std::string_view()));
    live.insert(labels.back());
  }
  std::vector<const Revision*> unused;
  for (const Revision& revision : revisions_) {
    if (!live.contains(revision.name())) unused.push_back(&revision);
  }
  const std::int64_t limit = number_at(set_.object, {"spec", "revisionHistoryLimit"});
  const std::int64_t surplus = static_cast<std::int64_t>(unused.size()) - limit;
  for (std::int64_t i = 0; limit >= 0 && i < surplus; ++i) {
    TAB_CHECK(delete_revision(cluster_, *unused[static_cast<std::size_t>(i)]));
  }
  return {};
}

}  // namespace tabernetes::controllers
