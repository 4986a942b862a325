#include "controllers/apps/deployment_sync.h"

#include <algorithm>
#include <charconv>
#include <functional>

#include "base/algorithm/sort.h"
#include "controllers/shared/event_recorder.h"
#include "controllers/shared/pod_control.h"
#include "controllers/shared/template_hash.h"
#include "json/fill.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr std::string_view kDeploymentSource = "deployment-controller";
constexpr std::size_t kLongestSetName = 253;

std::string set_name(std::string_view deployment, const std::string& hash) {
  const std::size_t room = kLongestSetName - 1 - hash.size();
  return std::string(deployment.substr(0, room)).append("-").append(hash);
}

// Returns a copy of an object with one more member.
Value with_label(const Value* labels, std::string_view key, std::string_view value,
                 json::Arena& arena) {
  Value copy = labels == nullptr ? Value::object(arena) : labels->clone(arena);
  copy.set(arena, key, Value::string(value));
  return copy;
}

}  // namespace

DeploymentSync::DeploymentSync(const ReconcileContext& cluster, Value deployment,
                               const std::vector<store::RecordPtr>& sets)
    : cluster_(cluster),
      arena_(cluster.arena),
      type_(built_in(cluster.registry, "apps", "v1", "deployments")),
      set_type_(built_in(cluster.registry, "apps", "v1", "replicasets")),
      deployment_{deployment} {
  for (const store::RecordPtr& record : sets) {
    sets_.push_back({registry::read_object(set_type_, *record, arena_).clone(arena_)});
  }
}

Owner DeploymentSync::owner() const { return {type_, deployment_.object, kDeploymentSource}; }

ReplicaSetList DeploymentSync::all_sets() const {
  ReplicaSetList all = old_;
  all.push_back(new_);
  return all;
}

// As upstream, the Deployment is not read again: a second write of the same reconciliation
// conflicts and is done by the next one, which finds the ReplicaSet that this one made.
Result<void> DeploymentSync::write_status() {
  return update_status(cluster_, type_, deployment_.object);
}

Result<void> DeploymentSync::run() {
  if (owner().terminating()) {
    TAB_CHECK(find_sets(false));
    return sync_status_only();
  }
  TAB_CHECK(mark_paused());
  if (deployment_.paused()) return scale();
  if (!text_at(deployment_.object, {"metadata", "annotations", kRollbackTo}).empty()) {
    return roll_back();
  }
  TAB_CHECK(find_sets(false));
  if (is_scaling_event()) return scale();
  return deployment_.is_rolling_update() ? roll() : recreate();
}

Result<void> DeploymentSync::find_sets(bool create_new) {
  new_ = nullptr;
  old_.clear();
  ReplicaSetList sets;
  for (ReplicaSet& set : sets_) sets.push_back(&set);
  sort_by_creation(sets);
  for (ReplicaSet* set : sets) {
    const Value* pod_template = set->object.at({"spec", "template"});
    if (new_ == nullptr && pod_template != nullptr &&
        equal_ignoring_hash(*pod_template, deployment_.pod_template(), arena_)) {
      new_ = set;
    } else {
      old_.push_back(set);
    }
  }
  if (new_ != nullptr) return sync_existing_set();
  return create_new ? create_new_set() : Result<void>();
}

Result<void> DeploymentSync::sync_existing_set() {
  std::int64_t revision = 1;
  for (const ReplicaSet* set : old_) revision = std::max(revision, set->revision() + 1);
  ReplicaSet updated{new_->object.clone(arena_)};
  const bool changed = set_new_set_annotations(deployment_, updated, revision, true, arena_);
  const std::int64_t min_ready = number_at(deployment_.object, {"spec", "minReadySeconds"});
  if (changed || number_at(updated.object, {"spec", "minReadySeconds"}) != min_ready) {
    set_count(*updated.object.find("spec"), "minReadySeconds", min_ready, arena_);
    TAB_CHECK(update_object(cluster_, set_type_, updated.object));
    new_->object = cluster_.read({&set_type_, owner().ns(), arena_.copy(new_->name())});
    return {};
  }
  bool needs_update =
      set_annotation(deployment_.object, kRevision, new_->annotation(kRevision), arena_);
  if (deployment_.progress_deadline() && deployment_.condition("Progressing") == nullptr) {
    set_condition(object_or_new(deployment_.object, "status", arena_),
                  condition("Progressing", "True", "FoundNewReplicaSet",
                            "Found new replica set \"" + std::string(new_->name()) + "\""));
    needs_update = true;
  }
  return needs_update ? write_status() : Result<void>();
}

Value DeploymentSync::set_for_template(std::string_view hash) const {
  Value pod_template = deployment_.pod_template().clone(arena_);
  Value& template_metadata = object_or_new(pod_template, "metadata", arena_);
  const Value labels = with_label(template_metadata.find("labels"), kPodTemplateHash, hash, arena_);
  template_metadata.set(arena_, "labels", labels);
  Value selector = deployment_.object.at({"spec", "selector"})->clone(arena_);
  selector.set(arena_, "matchLabels",
               with_label(selector.find("matchLabels"), kPodTemplateHash, hash, arena_));

  Value owners = Value::array(arena_);
  owners.push_back(arena_, new_controller_ref(owner(), arena_));
  Value metadata = Value::object(arena_);
  metadata.append(arena_, "name",
                  Value::string(arena_.copy(set_name(deployment_.name(), std::string(hash)))));
  metadata.append(arena_, "namespace", Value::string(owner().ns()));
  metadata.append(arena_, "labels", labels.clone(arena_));
  metadata.append(arena_, "ownerReferences", owners);
  Value spec = Value::object(arena_);
  spec.append(arena_, "replicas", Value::integer(0));
  set_count(spec, "minReadySeconds", number_at(deployment_.object, {"spec", "minReadySeconds"}),
            arena_);
  spec.append(arena_, "selector", selector);
  spec.append(arena_, "template", pod_template);
  Value set = Value::object(arena_);
  set.append(arena_, "metadata", metadata);
  set.append(arena_, "spec", spec);
  return set;
}

void DeploymentSync::tell_failed_creation(std::string_view name, std::string_view why) {
  const std::string message =
      "Failed to create new replica set \"" + std::string(name) + "\": " + std::string(why);
  if (deployment_.progress_deadline()) {
    set_condition(object_or_new(deployment_.object, "status", arena_),
                  condition("Progressing", "False", "ReplicaSetCreateError", message));
    (void)write_status();
  }
  record_event(cluster_, type_, deployment_.object,
               {kDeploymentSource, "Warning", "ReplicaSetCreateError", arena_.copy(message)});
}

Result<void> DeploymentSync::tell_creation(const std::string& name, std::int64_t replicas,
                                           std::int64_t revision) {
  if (replicas > 0) {
    record_event(
        cluster_, type_, deployment_.object,
        {kDeploymentSource, "Normal", "ScalingReplicaSet",
         arena_.copy("Scaled up replica set " + name + " from 0 to " + std::to_string(replicas))});
  }
  bool needs_update =
      set_annotation(deployment_.object, kRevision, std::to_string(revision), arena_);
  if (deployment_.progress_deadline()) {
    set_condition(object_or_new(deployment_.object, "status", arena_),
                  condition("Progressing", "True", "NewReplicaSetCreated",
                            "Created new replica set \"" + name + "\""));
    needs_update = true;
  }
  return needs_update ? write_status() : Result<void>();
}

Result<void> DeploymentSync::create_new_set() {
  const Value* collisions = deployment_.object.at({"status", "collisionCount"});
  const std::string hash =
      template_hash(type_, deployment_.pod_template(),
                    collisions == nullptr ? std::nullopt : std::optional(collisions->as_int()));
  ReplicaSet wanted;
  wanted.object = set_for_template(arena_.copy(hash));
  const std::string name = set_name(deployment_.name(), hash);
  const std::int64_t replicas = new_set_replicas(deployment_, old_, wanted);
  wanted.object.find("spec")->set(arena_, "replicas", Value::integer(replicas));
  std::int64_t revision = 1;
  for (const ReplicaSet* set : old_) revision = std::max(revision, set->revision() + 1);
  set_new_set_annotations(deployment_, wanted, revision, false, arena_);

  auto created =
      cluster_.registry.create(cluster_.context(), set_type_, owner().ns(), wanted.object);
  if (!created && created.error().reason == "AlreadyExists") {
    return meet_existing_name(name, std::move(created).failure());
  }
  if (!created && is_namespace_terminating(created.error())) return std::move(created).failure();
  if (!created) {
    tell_failed_creation(name, created.error().message);
    return std::move(created).failure();
  }
  sets_.push_back({cluster_.read({&set_type_, owner().ns(), name})});
  new_ = &sets_.back();
  return tell_creation(name, replicas, revision);
}

// The hash of another template is the same: the next reconciliation takes another one.
Result<void> DeploymentSync::meet_existing_name(std::string_view name, Failure failure) {
  const Value existing = cluster_.read({&set_type_, owner().ns(), name});
  const Value* controller = existing.is_null() ? nullptr : controller_of(existing);
  const Value* pod_template = existing.is_null() ? nullptr : existing.at({"spec", "template"});
  if (controller != nullptr && controller->string_at("uid") == owner().uid() &&
      pod_template != nullptr &&
      equal_ignoring_hash(*pod_template, deployment_.pod_template(), arena_)) {
    sets_.push_back({existing});
    new_ = &sets_.back();
    return {};
  }
  Value& status = object_or_new(deployment_.object, "status", arena_);
  status.set(arena_, "collisionCount", Value::integer(number_at(status, {"collisionCount"}) + 1));
  (void)write_status();
  return failure;
}

Result<void> DeploymentSync::mark_paused() {
  if (!deployment_.progress_deadline()) return {};
  const std::string_view reason = deployment_.condition_reason("Progressing");
  if (reason == "ProgressDeadlineExceeded") return {};
  const bool marked = reason == "DeploymentPaused";
  if (deployment_.paused() == marked) return {};
  set_condition(
      object_or_new(deployment_.object, "status", arena_),
      deployment_.paused()
          ? condition("Progressing", "Unknown", "DeploymentPaused", "Deployment is paused")
          : condition("Progressing", "Unknown", "DeploymentResumed", "Deployment is resumed"));
  return write_status();
}

bool DeploymentSync::is_scaling_event() const {
  for (const ReplicaSet* set : active_sets(all_sets())) {
    const auto desired = set->count_annotation(kDesiredReplicas);
    if (desired && *desired != deployment_.replicas()) return true;
  }
  return false;
}

Result<bool> DeploymentSync::scale_set(ReplicaSet& set, std::int64_t replicas, bool force) {
  const std::int64_t before = set.replicas();
  if (!force && before == replicas) return false;
  ReplicaSet updated{set.object.clone(arena_)};
  const bool annotated = set_replicas_annotations(updated, deployment_, arena_);
  if (before == replicas && !annotated) return false;
  updated.object.find("spec")->set(arena_, "replicas", Value::integer(replicas));
  TAB_CHECK(update_object(cluster_, set_type_, updated.object));
  set.object = cluster_.read({&set_type_, owner().ns(), arena_.copy(set.name())});
  if (before == replicas) return false;
  record_event(cluster_, type_, deployment_.object,
               {kDeploymentSource, "Normal", "ScalingReplicaSet",
                arena_.copy("Scaled " + std::string(before < replicas ? "up" : "down") +
                            " replica set " + std::string(set.name()) + " from " +
                            std::to_string(before) + " to " + std::to_string(replicas))});
  return true;
}

// For a Deployment that is paused or has other replicas: neither begins nor continues a rollout.
Result<void> DeploymentSync::scale() {
  TAB_CHECK(find_sets(false));
  if (ReplicaSet* set = active_or_latest(new_, old_)) {
    TAB_CHECK(scale_set(*set, deployment_.replicas()));
  } else if (is_saturated(deployment_, new_)) {
    for (ReplicaSet* older : active_sets(old_)) TAB_CHECK(scale_set(*older, 0));
  } else if (deployment_.is_rolling_update()) {
    TAB_CHECK(scale_proportionally());
  }
  if (deployment_.paused() &&
      text_at(deployment_.object, {"metadata", "annotations", kRollbackTo}).empty()) {
    TAB_CHECK(clean_up());
  }
  return sync_status_only();
}

Result<void> DeploymentSync::scale_proportionally() {
  ReplicaSetList sets = active_sets(all_sets());
  const std::int64_t wanted = deployment_.replicas();
  const std::int64_t allowed = wanted > 0 ? wanted + deployment_.max_surge() : 0;
  const std::int64_t to_add = allowed - sum_of_replicas(sets);
  if (to_add != 0) sort_by_size(sets, to_add > 0);
  std::vector<std::int64_t> sizes;
  std::int64_t added = 0;
  for (const ReplicaSet* set : sets) {
    const std::int64_t share = proportion_of(*set, deployment_, to_add, added);
    sizes.push_back(set->replicas() + share);
    added += share;
  }
  // The largest one takes what is left over.
  if (to_add != 0 && !sizes.empty()) {
    sizes[0] = std::max<std::int64_t>(0, sizes[0] + to_add - added);
  }
  for (std::size_t i = 0; i < sets.size(); ++i) TAB_CHECK(scale_set(*sets[i], sizes[i], true));
  return {};
}

// Deletes the oldest ReplicaSets that are at rest, beyond the limit of the history.
Result<void> DeploymentSync::clean_up() {
  const std::optional<std::int64_t> limit = deployment_.revision_history_limit();
  if (!limit) return {};
  ReplicaSetList sets;
  for (ReplicaSet* set : old_) {
    if (!has(set->object, {"metadata", "deletionTimestamp"})) sets.push_back(set);
  }
  const std::int64_t surplus = static_cast<std::int64_t>(sets.size()) - *limit;
  sort_by_revision(sets);
  for (std::int64_t i = 0; i < surplus; ++i) {
    const ReplicaSet& set = *sets[static_cast<std::size_t>(i)];
    if (set.status("replicas") != 0 || set.replicas() != 0 ||
        number_at(set.object, {"metadata", "generation"}) > set.status("observedGeneration")) {
      continue;
    }
    auto deleted =
        cluster_.registry.remove(cluster_.context(), {&set_type_, owner().ns(), set.name()}, {});
    if (!deleted && deleted.error().code != 404) return std::move(deleted).failure();
  }
  return {};
}

Result<void> DeploymentSync::roll_back() {
  TAB_CHECK(find_sets(true));
  const std::string_view text =
      text_at(deployment_.object, {"metadata", "annotations", kRollbackTo});
  std::int64_t wanted = 0;
  std::from_chars(text.data(), text.data() + text.size(), wanted);
  const auto warn = [&](std::string_view message) {
    record_event(cluster_, type_, deployment_.object,
                 {kDeploymentSource, "Warning", "DeploymentRollbackRevisionNotFound", message});
  };
  if (wanted == 0) {
    std::vector<std::int64_t> revisions{0, 0};
    for (const ReplicaSet* set : all_sets()) revisions.push_back(set->revision());
    sort_stable(revisions, std::greater<>());
    wanted = revisions[1];
    if (wanted == 0) {
      warn("Unable to find last revision.");
      return clear_rollback();
    }
  }
  for (const ReplicaSet* set : all_sets()) {
    if (set->revision() == wanted) return roll_back_to(*set, wanted);
  }
  warn("Unable to find the revision to rollback to.");
  return clear_rollback();
}

Result<void> DeploymentSync::roll_back_to(const ReplicaSet& set, std::int64_t revision) {
  const std::string name(deployment_.name());
  const Value& pod_template = *set.object.at({"spec", "template"});
  if (equal_ignoring_hash(pod_template, deployment_.pod_template(), arena_)) {
    record_event(
        cluster_, type_, deployment_.object,
        {kDeploymentSource, "Warning", "DeploymentRollbackTemplateUnchanged",
         arena_.copy("The rollback revision contains the same template as current deployment \"" +
                     name + "\"")});
    return clear_rollback();
  }
  Value copy = pod_template.clone(arena_);
  if (Value* labels = object_or_new(copy, "metadata", arena_).find("labels")) {
    labels->erase(kPodTemplateHash);
  }
  deployment_.object.find("spec")->set(arena_, "template", copy);
  Value annotations = Value::object(arena_);
  for (const json::Member& member : members_at(deployment_.object, {"metadata", "annotations"})) {
    if (is_own_annotation(member.key)) annotations.append(arena_, member.key, member.value);
  }
  for (const json::Member& member : members_at(set.object, {"metadata", "annotations"})) {
    if (!is_own_annotation(member.key)) annotations.append(arena_, member.key, member.value);
  }
  deployment_.object.find("metadata")->set(arena_, "annotations", annotations);
  TAB_CHECK(clear_rollback());
  record_event(cluster_, type_, deployment_.object,
               {kDeploymentSource, "Normal", "DeploymentRollback",
                arena_.copy("Rolled back deployment \"" + name + "\" to revision " +
                            std::to_string(revision))});
  return {};
}

Result<void> DeploymentSync::clear_rollback() {
  if (Value* annotations = deployment_.object.find("metadata")->find("annotations")) {
    annotations->erase(kRollbackTo);
  }
  TAB_CHECK(update_object(cluster_, type_, deployment_.object));
  return {};
}

}  // namespace tabernetes::controllers
