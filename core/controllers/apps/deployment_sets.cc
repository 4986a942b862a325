#include "controllers/apps/deployment_sets.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/algorithm/sort.h"
#include "base/text/parts.h"
#include "json/equality.h"
#include "json/fill.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr std::size_t kLongestRevisionHistory = 2000;

std::optional<std::int64_t> parse_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return number;
}

// Surge and unavailable pods; they are not both 0.
struct Fenceposts {
  std::int64_t surge = 0, unavailable = 0;
};

Fenceposts fenceposts_of(const DeploymentState& deployment) {
  const Value* update = deployment.object.at({"spec", "strategy", "rollingUpdate"});
  if (update == nullptr) return {0, 1};
  Fenceposts posts{
      scaled_value(update->find("maxSurge"), deployment.replicas(), Round::kUp),
      scaled_value(update->find("maxUnavailable"), deployment.replicas(), Round::kDown)};
  if (posts.surge == 0 && posts.unavailable == 0) posts.unavailable = 1;
  return posts;
}

// Returns spec's number if it limits anything.
std::optional<std::int64_t> limit_of(const Value& object, std::string_view key) {
  const Value* limit = object.at({"spec", key});
  if (limit == nullptr || !limit->is_int() || limit->as_int() == kNoLimit) return std::nullopt;
  return limit->as_int();
}

bool created_before(const ReplicaSet& a, const ReplicaSet& b) {
  return a.created() == b.created() ? a.name() < b.name() : a.created() < b.created();
}

Value without_hash(const Value& pod_template, json::Arena& arena) {
  Value copy = pod_template.clone(arena);
  Value* metadata = copy.find("metadata");
  Value* labels = metadata == nullptr ? nullptr : metadata->find("labels");
  if (labels != nullptr) labels->erase(kPodTemplateHash);
  return copy;
}

// Adds an old revision to the list of earlier ones, which drops the oldest if it is too long.
std::string extended_history(std::string_view history, std::string_view revision) {
  std::size_t length = history.size() + 1 + revision.size();
  while (length > kLongestRevisionHistory && !history.empty()) {
    length -= take_part(history, ',').size() + 1;
  }
  if (history.empty()) return std::string(revision);
  return std::string(history).append(",").append(revision);
}

}  // namespace

std::int64_t ReplicaSet::revision() const {
  return parse_number(annotation(kRevision)).value_or(0);
}

std::optional<std::int64_t> ReplicaSet::count_annotation(std::string_view key) const {
  const auto number = parse_number(annotation(key));
  return number && *number >= 0 && *number <= kNoLimit ? number : std::nullopt;
}

std::int64_t DeploymentState::max_surge() const {
  return is_rolling_update() ? fenceposts_of(*this).surge : 0;
}

std::int64_t DeploymentState::max_unavailable() const {
  if (!is_rolling_update() || replicas() == 0) return 0;
  return std::min(fenceposts_of(*this).unavailable, replicas());
}

std::optional<std::int64_t> DeploymentState::progress_deadline() const {
  return limit_of(object, "progressDeadlineSeconds");
}

std::optional<std::int64_t> DeploymentState::revision_history_limit() const {
  return limit_of(object, "revisionHistoryLimit");
}

const Value* DeploymentState::condition(std::string_view type) const {
  const Value* status = object.find("status");
  return status == nullptr ? nullptr : condition_in(*status, type);
}

std::string_view DeploymentState::condition_reason(std::string_view type) const {
  const Value* found = condition(type);
  return found == nullptr ? std::string_view() : found->string_at("reason");
}

std::int64_t sum_of_replicas(const ReplicaSetList& sets) {
  std::int64_t sum = 0;
  for (const ReplicaSet* set : sets) sum += set == nullptr ? 0 : set->replicas();
  return sum;
}

std::int64_t sum_of(const ReplicaSetList& sets, std::string_view count) {
  std::int64_t sum = 0;
  for (const ReplicaSet* set : sets) sum += set == nullptr ? 0 : set->status(count);
  return sum;
}

ReplicaSetList active_sets(const ReplicaSetList& sets) {
  ReplicaSetList active;
  for (ReplicaSet* set : sets) {
    if (set != nullptr && set->replicas() > 0) active.push_back(set);
  }
  return active;
}

void sort_by_creation(ReplicaSetList& sets) {
  sort_stable(sets,
              [](const ReplicaSet* a, const ReplicaSet* b) { return created_before(*a, *b); });
}

void sort_by_size(ReplicaSetList& sets, bool newer_first) {
  sort_stable(sets, [&](const ReplicaSet* a, const ReplicaSet* b) {
    if (a->replicas() != b->replicas()) return a->replicas() > b->replicas();
    return newer_first ? created_before(*b, *a) : created_before(*a, *b);
  });
}

void sort_by_revision(ReplicaSetList& sets) {
  sort_stable(sets, [](const ReplicaSet* a, const ReplicaSet* b) {
    return a->revision() == b->revision() ? created_before(*a, *b) : a->revision() < b->revision();
  });
}

bool equal_ignoring_hash(const Value& a, const Value& b, json::Arena& arena) {
  return deep_equal(without_hash(a, arena), without_hash(b, arena));
}

ReplicaSet* active_or_latest(ReplicaSet* newest, ReplicaSetList older) {
  sort_by_creation(older);
  std::reverse(older.begin(), older.end());
  ReplicaSetList all = older;
  all.push_back(newest);
  const ReplicaSetList active = active_sets(all);
  if (active.size() > 1) return nullptr;
  if (active.size() == 1) return active[0];
  if (newest != nullptr) return newest;
  return older.empty() ? nullptr : older[0];
}

bool is_saturated(const DeploymentState& deployment, const ReplicaSet* set) {
  const std::int64_t wanted = deployment.replicas();
  return set != nullptr && set->replicas() == wanted && set->available() == wanted &&
         parse_number(set->annotation(kDesiredReplicas)) == wanted;
}

std::int64_t new_set_replicas(const DeploymentState& deployment, const ReplicaSetList& all,
                              const ReplicaSet& newest) {
  if (!deployment.is_rolling_update()) return deployment.replicas();
  const Value* surge = deployment.object.at({"spec", "strategy", "rollingUpdate", "maxSurge"});
  const std::int64_t most =
      deployment.replicas() + scaled_value(surge, deployment.replicas(), Round::kUp);
  const std::int64_t room = most - sum_of_replicas(all);
  if (room <= 0) return newest.replicas();
  return newest.replicas() + std::min(room, deployment.replicas() - newest.replicas());
}

std::int64_t proportion_of(const ReplicaSet& set, const DeploymentState& deployment,
                           std::int64_t to_add, std::int64_t added) {
  if (set.replicas() == 0 || to_add == 0 || to_add == added) return 0;
  std::int64_t fraction = -set.replicas();
  if (deployment.replicas() != 0) {
    std::int64_t before = set.count_annotation(kMaxReplicas).value_or(0);
    if (before == 0) before = number_at(deployment.object, {"status", "replicas"});
    if (before == 0) {
      fraction = 0;
    } else {
      const std::int64_t most = deployment.replicas() + deployment.max_surge();
      const double size = static_cast<double>(set.replicas() * most) / static_cast<double>(before);
      fraction = std::llround(size) - set.replicas();
    }
  }
  const std::int64_t left = to_add - added;
  return to_add > 0 ? std::min(fraction, left) : std::max(fraction, left);
}

bool set_annotation(Value& object, std::string_view key, std::string_view value,
                    json::Arena& arena) {
  Value& annotations =
      object_or_new(object_or_new(object, "metadata", arena), "annotations", arena);
  const Value* known = annotations.find(key);
  if (known != nullptr && known->is_string() && known->as_string() == value) return false;
  annotations.set(arena, arena.copy(key), Value::string(arena.copy(value)));
  return true;
}

bool set_replicas_annotations(ReplicaSet& set, const DeploymentState& deployment,
                              json::Arena& arena) {
  const std::int64_t wanted = deployment.replicas();
  const bool desired = set_annotation(set.object, kDesiredReplicas, std::to_string(wanted), arena);
  const bool most = set_annotation(set.object, kMaxReplicas,
                                   std::to_string(wanted + deployment.max_surge()), arena);
  return desired || most;
}

bool is_own_annotation(std::string_view key) {
  return key == kLastApplied || key == kRevision || key == kRevisionHistory ||
         key == kDesiredReplicas || key == kMaxReplicas || key == kRollbackTo;
}

bool set_new_set_annotations(const DeploymentState& deployment, ReplicaSet& set,
                             std::int64_t revision, bool exists, json::Arena& arena) {
  bool changed = false;
  for (const json::Member& member : members_at(deployment.object, {"metadata", "annotations"})) {
    if (is_own_annotation(member.key)) continue;
    changed = set_annotation(set.object, member.key, text_of(member.value), arena) || changed;
  }
  const std::string old(set.annotation(kRevision));
  const auto old_number = old.empty() ? std::optional<std::int64_t>(0) : parse_number(old);
  if (!old_number) return false;
  if (*old_number < revision) {
    set_annotation(set.object, kRevision, std::to_string(revision), arena);
    changed = true;
    if (!old.empty()) {
      set_annotation(set.object, kRevisionHistory,
                     extended_history(set.annotation(kRevisionHistory), old), arena);
    }
  }
  return (!exists && set_replicas_annotations(set, deployment, arena)) || changed;
}

}  // namespace tabernetes::controllers
