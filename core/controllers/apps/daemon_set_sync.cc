#include "controllers/apps/daemon_set_sync.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/algorithm/sort.h"
#include "controllers/shared/event_recorder.h"
#include "controllers/shared/pod_control.h"
#include "controllers/shared/template_hash.h"
#include "controllers/shared/workload.h"
#include "json/equality.h"
#include "json/fill.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr std::string_view kDaemonHash = "controller-revision-hash";
constexpr std::string_view kTemplateGeneration = "deprecated.daemonset.template.generation";
constexpr std::int64_t kDaemonBurst = 250;
// Pods that the status does not count are looked at this much after they are available.
constexpr Duration kAvailabilitySkew = Duration::from_seconds(1);
constexpr Duration kFirstFailedBackoff = Duration::from_seconds(1);
constexpr Duration kLongestFailedBackoff = Duration::from_seconds(15 * 60);

// Bound pods first, then by age.
bool daemon_pod_before(const PodSummary* a, const PodSummary* b) {
  if (a->node.empty() != b->node.empty()) return !a->node.empty();
  if (a->creation_timestamp != b->creation_timestamp) {
    return a->creation_timestamp < b->creation_timestamp;
  }
  return a->name < b->name;
}

std::string_view generation_of_template(const Owner& set) {
  return text_at(set.object, {"metadata", "annotations", kTemplateGeneration});
}

}  // namespace

std::optional<Time> DaemonBackoffs::wait(const std::string& key, Time now) {
  const auto place = known_.find(key);
  if (place == known_.end()) {
    known_[key] = {kFirstFailedBackoff, now};
    return std::nullopt;
  }
  Known& known = place->second;
  const Time until = known.since + known.backoff;
  if (now < until) return until;
  const bool forgotten = known.since + Duration{2 * kLongestFailedBackoff.nanoseconds} < now;
  known.backoff = forgotten
                      ? kFirstFailedBackoff
                      : std::min(Duration{2 * known.backoff.nanoseconds}, kLongestFailedBackoff);
  known.since = now;
  return std::nullopt;
}

DaemonSetSync::DaemonSetSync(const ReconcileContext& cluster, const Owner& set,
                             const DaemonNodes& nodes, DaemonBackoffs& backoffs,
                             const Informers::Pods& pods, Revisions revisions)
    : cluster_(cluster),
      arena_(cluster.arena),
      set_(set),
      nodes_(nodes),
      backoffs_(backoffs),
      pods_(pods),
      revisions_(std::move(revisions)),
      spec_(set.object.at({"spec", "template", "spec"})->clone(cluster.arena)),
      min_ready_(number_at(set.object, {"spec", "minReadySeconds"})) {
  add_daemon_tolerations(spec_, arena_);
  for (const PodSummary* pod : pods_) {
    if (pod->terminal() && pod->deletion_timestamp) continue;
    const std::string_view node = pod->node.empty() ? pod->target_node : pod->node;
    if (!node.empty()) by_node_[node].push_back(pod);
  }
}

void DaemonSetSync::check_at(Time time) {
  if (!next_check_ || time < *next_check_) next_check_ = time;
}

Result<void> DaemonSetSync::run() {
  TAB_CHECK(find_revisions());
  hash_ = current_.label(kDaemonHash);
  Result<void> done;
  auto worked = manage();
  if (!worked) {
    done = std::move(worked).failure();
  } else if (!*worked && text_at(set_.object, {"spec", "updateStrategy", "type"}) != "OnDelete") {
    done = update_pods();
  }
  if (done) done = clean_up_history();
  Result<void> written = write_status();
  return done ? std::move(written) : std::move(done);
}

bool DaemonSetSync::is_updated(const PodSummary& pod) const {
  if (!hash_.empty() && pod.label(kDaemonHash) == hash_) return true;
  const std::string_view generation = generation_of_template(set_);
  return !generation.empty() && pod.label("pod-template-generation") == generation;
}

DaemonSetSync::Updated DaemonSetSync::updated_pods(const Informers::Pods& pods) const {
  Updated found;
  for (const PodSummary* pod : pods) {
    if (pod->deletion_timestamp) continue;
    const PodSummary*& place = is_updated(*pod) ? found.newer : found.older;
    if (place != nullptr) return {nullptr, nullptr, true};
    place = pod;
  }
  return found;
}

std::int64_t DaemonSetSync::count_setting(std::string_view key, std::int64_t total) const {
  const Value* rolling = set_.object.at({"spec", "updateStrategy", "rollingUpdate"});
  if (rolling == nullptr ||
      text_at(set_.object, {"spec", "updateStrategy", "type"}) != "RollingUpdate") {
    return 0;
  }
  return scaled_value(rolling->find(key), total, Round::kUp);
}

// Finds the revision of the present template, or makes it.
Result<void> DaemonSetSync::find_revisions() {
  const Value data = revision_data(*set_.object.at({"spec", "template"}), arena_);
  Revisions same;
  std::int64_t number = 1;
  for (const Revision& revision : revisions_) {
    if (same_data(revision, data)) {
      same.push_back(revision);
    } else {
      old_.push_back(revision);
      number = std::max(number, revision.number() + 1);
    }
  }
  if (same.empty()) return take_snapshot(data, number);
  TAB_CHECK(keep_newest(same));
  if (current_.number() < number) {
    TAB_TRY(current_, renumber_revision(cluster_, current_, number));
  }
  return {};
}

Result<void> DaemonSetSync::take_snapshot(const Value& data, std::int64_t number) {
  const Value& pod_template = *set_.object.at({"spec", "template"});
  const Value* collisions = set_.object.at({"status", "collisionCount"});
  const std::string hash =
      template_hash(set_.type, pod_template,
                    collisions == nullptr ? std::nullopt : std::optional(collisions->as_int()));
  const Value* labels = pod_template.at({"metadata", "labels"});
  Value all = labels == nullptr ? Value::object(arena_) : labels->clone(arena_);
  all.set(arena_, kDaemonHash, Value::string(arena_.copy(hash)));
  const std::string name = std::string(set_.name()) + "-" + hash;
  auto made = create_revision(cluster_, set_, {name, all, data, number});
  if (made) {
    current_ = *made;
    return {};
  }
  if (made.error().reason != "AlreadyExists") return std::move(made).failure();
  const registry::ResourceType& type =
      built_in(cluster_.registry, "apps", "v1", "controllerrevisions");
  const Revision existing{cluster_.read({&type, set_.ns(), name})};
  if (!existing.object.is_null() && same_data(existing, data)) {
    current_ = existing;
    return {};
  }
  // The hash of another template is the same: the next reconciliation takes another one.
  Value updated = set_.object.clone(arena_);
  Value& status = object_or_new(updated, "status", arena_);
  status.set(arena_, "collisionCount", Value::integer(number_at(status, {"collisionCount"}) + 1));
  TAB_CHECK(update_status(cluster_, set_.type, updated));
  return std::move(made).failure();
}

// Of several revisions with the present template, keeps the newest and gives its pods to it.
Result<void> DaemonSetSync::keep_newest(const Revisions& same) {
  current_ = same.back();
  if (same.size() == 1) return {};
  const registry::ResourceType& pods_type = built_in(cluster_.registry, "", "v1", "pods");
  const std::string_view hash = current_.label(kDaemonHash);
  for (const PodSummary* pod : pods_) {
    if (pod->label(kDaemonHash) == hash) continue;
    Value object = cluster_.read({&pods_type, pod->ns, pod->name});
    if (object.is_null()) continue;
    object_or_new(*object.find("metadata"), "labels", arena_)
        .set(arena_, kDaemonHash, Value::string(hash));
    TAB_CHECK(update_object(cluster_, pods_type, object));
  }
  for (const Revision& revision : same) {
    if (revision.name() != current_.name()) TAB_CHECK(delete_revision(cluster_, revision));
  }
  return {};
}

Result<void> DaemonSetSync::clean_up_history() {
  std::int64_t surplus = static_cast<std::int64_t>(old_.size()) -
                         number_at(set_.object, {"spec", "revisionHistoryLimit"});
  if (surplus <= 0) return {};
  std::set<std::string, std::less<>> live;
  for (const PodSummary* pod : pods_) {
    live.emplace(pod->label(kDaemonHash).value_or(std::string_view()));
  }
  for (const Revision& revision : old_) {
    if (surplus <= 0) break;
    if (live.contains(revision.label(kDaemonHash))) continue;
    TAB_CHECK(delete_revision(cluster_, revision));
    --surplus;
  }
  return {};
}

Result<bool> DaemonSetSync::manage() {
  Work work;
  for (const auto& [name, node] : nodes_) look_at_node(*node, work);
  // Pods for nodes that are gone, before they are bound.
  for (const auto& [name, pods] : by_node_) {
    if (nodes_.contains(name)) continue;
    for (const PodSummary* pod : pods) {
      if (pod->node.empty()) work.pods.push_back(pod->name);
    }
  }
  TAB_CHECK(do_work(work));
  return !work.nodes.empty() || !work.pods.empty();
}

void DaemonSetSync::look_at_node(const DaemonNode& node, Work& work) {
  const DaemonFit fits = fit(node);
  const auto found = by_node_.find(node.name);
  const bool exists = found != by_node_.end();
  if (fits.should_run && !exists) {
    work.nodes.push_back(node.name);
    return;
  }
  if (!exists) return;
  if (!fits.should_continue) {
    for (const PodSummary* pod : found->second) {
      if (!pod->deletion_timestamp) work.pods.push_back(pod->name);
    }
    return;
  }
  Informers::Pods running;
  for (const PodSummary* pod : found->second) {
    if (is_running(node, *pod, work)) running.push_back(pod);
  }
  sort_stable(running, daemon_pod_before);
  if (count_setting("maxSurge", 1) > 0) {
    prune_surging(node, fits.should_run, running, work);
    return;
  }
  for (std::size_t i = 1; i < running.size(); ++i) work.pods.push_back(running[i]->name);
}

// Returns false for a pod that is finished or being deleted; finished ones are deleted.
bool DaemonSetSync::is_running(const DaemonNode& node, const PodSummary& pod, Work& work) {
  if (pod.deletion_timestamp) return false;
  if (!pod.terminal()) return true;
  const bool failed = pod.phase == PodPhase::kFailed;
  if (failed) {
    const std::string key =
        std::string(set_.uid()) + "/" +
        std::to_string(number_at(set_.object, {"status", "observedGeneration"})) + "/" + node.name;
    if (const auto until = backoffs_.wait(key, cluster_.now)) {
      check_at(*until);
      return false;
    }
  }
  const std::string message = std::string("Found ") + (failed ? "failed" : "succeeded") +
                              " daemon pod " + std::string(pod.ns) + "/" + std::string(pod.name) +
                              " on node " + node.name + ", will try to " +
                              (failed ? "kill" : "delete") + " it";
  record_event(cluster_, set_.type, set_.object,
               {set_.source, failed ? "Warning" : "Normal",
                failed ? "FailedDaemonPod" : "SucceededDaemonPod", arena_.copy(message)});
  work.pods.push_back(pod.name);
  return false;
}

// While a set surges, a node has at most an old pod that is ready and a new one that is not yet
// available. `running` is sorted.
void DaemonSetSync::prune_surging(const DaemonNode& node, bool should_run,
                                  const Informers::Pods& running, Work& work) {
  if (running.size() <= 1) {
    if (running.empty() && should_run) work.nodes.push_back(node.name);
    return;
  }
  const PodSummary* newer = nullptr;
  const PodSummary* older = nullptr;
  for (const PodSummary* pod : running) {
    const PodSummary*& place = pod->label(kDaemonHash) == hash_ ? newer : older;
    if (place == nullptr) {
      place = pod;
    } else {
      work.pods.push_back(pod->name);
    }
  }
  if (newer == nullptr || older == nullptr) return;
  if (!older->ready || available(*newer)) work.pods.push_back(older->name);
}

Result<void> DaemonSetSync::update_pods() {
  std::int64_t wanted = 0;
  for (const auto& [name, node] : nodes_) {
    if (!fit(*node).should_run) continue;
    ++wanted;
    by_node_.try_emplace(node->name);
  }
  const std::int64_t max_surge = count_setting("maxSurge", wanted);
  std::int64_t max_unavailable = count_setting("maxUnavailable", wanted);
  if (wanted > 0 && max_surge == 0 && max_unavailable == 0) max_unavailable = 1;
  return do_work(max_surge == 0 ? replace(max_unavailable) : surge(max_surge, wanted));
}

// Deletes old pods, so that new ones take their places.
DaemonSetSync::Work DaemonSetSync::replace(std::int64_t max_unavailable) const {
  std::int64_t unavailable = 0;
  Work work;
  std::vector<std::string_view> candidates;
  for (const auto& [node, pods] : by_node_) {
    const Updated updated = updated_pods(pods);
    if (updated.unclear || (updated.newer == nullptr) == (updated.older == nullptr)) {
      ++unavailable;
    } else if (updated.newer != nullptr) {
      if (!available(*updated.newer)) ++unavailable;
    } else if (!available(*updated.older)) {
      work.pods.push_back(updated.older->name);
      ++unavailable;
    } else {
      candidates.push_back(updated.older->name);
    }
  }
  const std::int64_t left = std::max<std::int64_t>(0, max_unavailable - unavailable);
  for (std::size_t i = 0; i < candidates.size() && static_cast<std::int64_t>(i) < left; ++i) {
    work.pods.push_back(candidates[i]);
  }
  return work;
}

// Creates new pods beside old ones, which go when the new ones are available.
DaemonSetSync::Work DaemonSetSync::surge(std::int64_t max_surge, std::int64_t wanted) const {
  std::int64_t surging = 0, available_pods = 0;
  Work work;
  std::vector<std::string_view> candidates, unwanted;
  for (const auto& [name, pods] : by_node_) {
    const Updated updated = updated_pods(pods);
    if (updated.unclear) {
      ++surging;
      continue;
    }
    const PodSummary* counted = updated.older != nullptr ? updated.older : updated.newer;
    if (counted != nullptr && available(*counted)) ++available_pods;
    if (updated.older == nullptr) continue;
    if (updated.newer != nullptr) {
      if (available(*updated.newer)) {
        work.pods.push_back(updated.older->name);
      } else {
        ++surging;
      }
      continue;
    }
    const auto node = nodes_.find(name);
    const bool should_run = node != nodes_.end() && fit(*node->second).should_run;
    if (!available(*updated.older)) {
      if (should_run) {
        work.nodes.push_back(name);
      } else {
        work.pods.push_back(updated.older->name);
      }
    } else if (!should_run) {
      unwanted.push_back(updated.older->name);
    } else {
      candidates.push_back(name);
    }
  }
  for (std::size_t i = 0;
       i < unwanted.size() && static_cast<std::int64_t>(i) < available_pods - wanted; ++i) {
    work.pods.push_back(unwanted[i]);
  }
  for (std::size_t i = 0;
       i < candidates.size() && static_cast<std::int64_t>(i) < max_surge - surging; ++i) {
    work.nodes.push_back(candidates[i]);
  }
  return work;
}

Value DaemonSetSync::template_for_pods() const {
  Value copy = set_.object.at({"spec", "template"})->clone(arena_);
  Value& labels = object_or_new(object_or_new(copy, "metadata", arena_), "labels", arena_);
  const std::string_view generation = generation_of_template(set_);
  if (!generation.empty()) {
    labels.set(arena_, "pod-template-generation", Value::string(generation));
  }
  if (!hash_.empty()) labels.set(arena_, kDaemonHash, Value::string(hash_));
  copy.set(arena_, "spec", spec_.clone(arena_));  // each pod gets a node of its own
  return copy;
}

Result<void> DaemonSetSync::do_work(const Work& work) {
  Result<void> result;
  if (!work.nodes.empty()) {
    Value pod = pod_from_template(set_, template_for_pods(), arena_);
    std::size_t done = 0;
    const auto count =
        std::min<std::int64_t>(static_cast<std::int64_t>(work.nodes.size()), kDaemonBurst);
    result = slow_start_batch(count, [&]() -> Result<void> {
      require_node(*pod.find("spec"), work.nodes[done++], arena_);
      auto created = create_pod(cluster_, set_, pod);
      if (!created && is_namespace_terminating(created.error())) return {};
      return created;
    });
  }
  for (std::size_t i = 0; i < work.pods.size() && static_cast<std::int64_t>(i) < kDaemonBurst;
       ++i) {
    auto deleted = delete_pod(cluster_, set_, work.pods[i]);
    if (!deleted && deleted.error().code != 404 && result) result = std::move(deleted);
  }
  return result;
}

Result<void> DaemonSetSync::write_status() {
  std::int64_t desired = 0, current = 0, misscheduled = 0, ready = 0, updated = 0, usable = 0;
  for (const auto& [name, node] : nodes_) {
    const auto found = by_node_.find(name);
    const bool scheduled = found != by_node_.end() && !found->second.empty();
    if (!fit(*node).should_run) {
      if (scheduled) ++misscheduled;
      continue;
    }
    ++desired;
    if (!scheduled) continue;
    ++current;
    const PodSummary& pod =
        **std::min_element(found->second.begin(), found->second.end(), daemon_pod_before);
    if (pod.ready) ++ready;
    if (available(pod)) ++usable;
    if (is_updated(pod)) ++updated;
    for (const PodSummary* one : found->second) {
      const auto next = one->next_availability(min_ready_, cluster_.now);
      if (next) check_at(one == &pod ? *next : *next + kAvailabilitySkew);
    }
  }
  const Value* old = set_.object.find("status");
  Value status = old == nullptr ? Value::object(arena_) : old->clone(arena_);
  status.set(arena_, "currentNumberScheduled", Value::integer(current));
  status.set(arena_, "numberMisscheduled", Value::integer(misscheduled));
  status.set(arena_, "desiredNumberScheduled", Value::integer(desired));
  status.set(arena_, "numberReady", Value::integer(ready));
  set_count(status, "updatedNumberScheduled", updated, arena_);
  set_count(status, "numberAvailable", usable, arena_);
  set_count(status, "numberUnavailable", desired - usable, arena_);
  set_count(status, "observedGeneration", number_at(set_.metadata(), {"generation"}), arena_);
  if (old != nullptr && deep_equal(*old, status)) return {};
  Value object = set_.object.shallow_copy(arena_);
  object.set(arena_, "status", status);
  return update_status(cluster_, set_.type, object);
}

}  // namespace tabernetes::controllers
