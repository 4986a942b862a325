// The garbage collector's work with objects of aggregated API servers: as dependents, as owners,
// and as those whose deletion it has to end.

#include <algorithm>

#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "controllers/garbage/classified_owners.h"
#include "controllers/garbage/garbage_collector.h"
#include "json/access.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

// How long a failed request waits for the next.
constexpr Duration kRetryElsewhere = Duration::from_seconds(30);
// Longer than an answer takes.
constexpr Duration kNoAnswerElsewhere = Duration::from_seconds(61);

const AggregatedResource* resource_of(AggregatedCalls& calls, const OwnerReference& owner) {
  const std::string_view group = owner.api_version.substr(0, owner.api_version.find('/'));
  for (const AggregatedResource& resource : calls.discovery().resources) {
    if (resource.group == group && resource.kind == owner.kind) return &resource;
  }
  return nullptr;
}

// Returns options that delete the object as it is known, lest it has other owners meanwhile.
std::string deletion_of(const AggregatedObject& object, std::string_view propagation) {
  json::Arena arena;
  const Value metadata = codec::read_json(object.metadata, arena).value;
  Value preconditions = Value::object(arena);
  for (const std::string_view member : {"uid", "resourceVersion"}) {
    preconditions.append(arena, member, Value::string(metadata.string_at(member)));
  }
  Value options = Value::object(arena);
  options.append(arena, "kind", Value::string("DeleteOptions"));
  options.append(arena, "apiVersion", Value::string("v1"));
  options.append(arena, "preconditions", preconditions);
  options.append(arena, "propagationPolicy", Value::string(propagation));
  return codec::json_text(options);
}

// Returns a merge patch of an object's metadata.
std::string patch_of(json::Arena& arena, const Value& changed) {
  Value patch = Value::object(arena);
  patch.append(arena, "metadata", changed);
  return codec::json_text(patch);
}

// Returns the merge patch that gives an object these owners.
std::string with_owners(json::Arena& arena, const Value& metadata, const Value& owners) {
  Value changed = Value::object(arena);
  changed.append(arena, "ownerReferences", owners);
  for (const std::string_view member : {"resourceVersion", "uid"}) {
    changed.append(arena, member, Value::string(metadata.string_at(member)));
  }
  return patch_of(arena, changed);
}

// Returns the merge patch that removes the references to the owners from an object.
std::string without_owners(const AggregatedObject& object,
                           const std::vector<std::string_view>& lost) {
  json::Arena arena;
  const Value metadata = codec::read_json(object.metadata, arena).value;
  Value kept = Value::array(arena);
  for (const Value& owner : items_at(metadata, {"ownerReferences"})) {
    if (std::find(lost.begin(), lost.end(), owner.string_at("uid")) == lost.end()) {
      kept.push_back(arena, owner);
    }
  }
  return with_owners(arena, metadata, kept);
}

// Returns the merge patch after which an object blocks the deletion of none of its owners.
std::string without_blocking(const AggregatedObject& object) {
  json::Arena arena;
  const Value metadata = codec::read_json(object.metadata, arena).value;
  Value owners = Value::array(arena);
  for (const Value& owner : items_at(metadata, {"ownerReferences"})) {
    Value free = owner.clone(arena);
    if (free.find("blockOwnerDeletion") != nullptr) {
      free.set(arena, "blockOwnerDeletion", Value::boolean(false));
    }
    owners.push_back(arena, free);
  }
  return with_owners(arena, metadata, owners);
}

// Returns the merge patch that removes a finalizer from an object.
std::string without_finalizer(const AggregatedObject& object, std::string_view finalizer) {
  json::Arena arena;
  const Value metadata = codec::read_json(object.metadata, arena).value;
  Value kept = Value::array(arena);
  for (const Value& each : items_at(metadata, {"finalizers"})) {
    if (each.as_string() != finalizer) kept.push_back(arena, each);
  }
  Value changed = Value::object(arena);
  changed.append(arena, "resourceVersion", Value::string(metadata.string_at("resourceVersion")));
  changed.append(arena, "finalizers", kept.size() == 0 ? Value::null() : kept);
  return patch_of(arena, changed);
}

bool blocks_any(const OwnerMetadata& metadata) {
  return std::any_of(metadata.owners.begin(), metadata.owners.end(),
                     [](const OwnerReference& owner) { return owner.blocking; });
}

// Returns whether there is no need to try again: others have done it, or will tell of a change.
bool is_settled(const AggregatedAnswer& answer) {
  return answer.error.empty() || answer.status == 404 || answer.status == 409;
}

}  // namespace

OwnerState owner_state(const ReconcileContext& cluster, const OwnerReference& owner,
                       std::string_view ns, std::string_view text) {
  const OwnerState state = state_of(cluster.registry, owner, ns);
  AggregatedCalls* const calls = cluster.aggregated();
  if (state != OwnerState::kUnresolved || calls == nullptr) return state;
  const AggregatedResource* resource = resource_of(*calls, owner);
  if (resource == nullptr || (resource->namespaced && ns.empty())) return state;
  if (const AggregatedObject* known = calls->object(owner.uid)) {
    const OwnerMetadata metadata = read_owned_metadata(known->metadata, cluster.arena);
    return metadata.waits_for_dependents() ? OwnerState::kWaiting : OwnerState::kSolid;
  }
  const std::string path = resource->path(resource->namespaced ? ns : std::string_view()) + "/" +
                           std::string(owner.name);
  const AggregatedAnswer* answer = calls->ask(garbage_collector(text), {"GET", path, {}});
  if (answer == nullptr) return OwnerState::kUnanswered;
  if (answer->status == 404) return OwnerState::kDangling;
  if (!answer->error.empty()) return state;
  const Value object = codec::read_json(answer->body, cluster.arena).value;
  return text_at(object, {"metadata", "uid"}) == owner.uid ? OwnerState::kSolid
                                                           : OwnerState::kDangling;
}

void forget_answers_of(const ReconcileContext& cluster, std::string_view text) {
  if (AggregatedCalls* calls = cluster.aggregated()) calls->forget(garbage_collector(text));
}

bool GarbageCollector::reconcile_elsewhere(const ReconcileContext& cluster,
                                           const std::string& text) {
  const std::string_view uid = std::string_view(text).substr(1);
  switch (text.front()) {
    case kUnblockedElsewhere:
      add_waiting(uid, cluster.now);
      return true;
    case kGoneElsewhere:
      waiting_.erase(std::string(uid));
      add_dependents(cluster.registry, uid, cluster.now);
      look_at_dependents_elsewhere(cluster, uid);
      return true;
    case kChangedElsewhere:
      look_elsewhere(cluster, text);
      return true;
    case kReleaseElsewhere:
      release_elsewhere(cluster, text);
      return true;
    default:
      return false;
  }
}

void GarbageCollector::look_elsewhere(const ReconcileContext& cluster, const std::string& text) {
  AggregatedCalls* const calls = cluster.aggregated();
  if (calls == nullptr) return;
  const std::string_view uid = std::string_view(text).substr(1);
  const AggregatedObject* object = calls->object(uid);
  if (object == nullptr) return calls->forget(garbage_collector(text));
  const OwnerMetadata metadata = read_owned_metadata(object->metadata, cluster.arena);
  if (metadata.terminating && metadata.orphans) return orphan_dependents_of(cluster, uid, text);
  if (metadata.waits_for_dependents()) return end_wait_elsewhere(cluster, *object, text);
  if (metadata.terminating || metadata.owners.empty()) {
    return calls->forget(garbage_collector(text));
  }
  look_at_owners(cluster, *object, metadata, text);
}

// Deletes an object of another server that has no owners left, or removes its references to lost
// ones.
void GarbageCollector::look_at_owners(const ReconcileContext& cluster,
                                      const AggregatedObject& object, const OwnerMetadata& metadata,
                                      const std::string& text) {
  const ClassifiedOwners owners(cluster, metadata, object.ns, text);
  if (owners.unanswered) {
    return queue_.add(text, cluster.now + kNoAnswerElsewhere, Recurrence::kPeriodic);
  }
  if (!owners.resolved || (owners.solid && owners.lost.empty())) {
    return forget_answers_of(cluster, text);
  }
  if (owners.solid) {
    return send(cluster, {"PATCH", object.path(), without_owners(object, owners.lost)}, text);
  }
  const bool with_dependents = owners.waiting && has_any_dependents(cluster, object.uid);
  // The change of its references will be told.
  if (with_dependents && blocks_any(metadata) && has_waiting_dependent(cluster, object.uid)) {
    return send(cluster, {"PATCH", object.path(), without_blocking(object)}, text);
  }
  const std::string_view propagation = with_dependents       ? "Foreground"
                                       : metadata.orphans    ? "Orphan"
                                       : metadata.foreground ? "Foreground"
                                                             : "Background";
  send(cluster, {"DELETE", object.path(), deletion_of(object, propagation)}, text);
}

void GarbageCollector::send(const ReconcileContext& cluster, const AggregatedRequest& request,
                            const std::string& text) {
  AggregatedCalls& calls = *cluster.aggregated();
  const AggregatedAnswer* answer = calls.ask(garbage_collector(text), request);
  if (answer == nullptr) {
    return queue_.add(text, cluster.now + kNoAnswerElsewhere, Recurrence::kPeriodic);
  }
  const bool settled = is_settled(*answer);
  calls.forget(garbage_collector(text));
  if (!settled) queue_.add(text, cluster.now + kRetryElsewhere, Recurrence::kPeriodic);
}

// Ends the deletion of another server's object that waits for its dependents once none of them
// blocks it.
void GarbageCollector::end_wait_elsewhere(const ReconcileContext& cluster,
                                          const AggregatedObject& object, const std::string& text) {
  const bool fresh = waiting_.emplace(object.uid, std::string()).second;
  if (fresh) add_dependents(cluster.registry, object.uid, cluster.now);
  const bool elsewhere = look_at_dependents_elsewhere(cluster, object.uid);
  const bool here = look_at_blocking_dependents(cluster, object.uid);
  if (elsewhere || here) return forget_answers_of(cluster, text);
  send(cluster, {"PATCH", object.path(), without_finalizer(object, kForegroundFinalizer)}, text);
}

// Removes all references to another server's object, which is let go after that.
void GarbageCollector::orphan_dependents_of(const ReconcileContext& cluster, std::string_view owner,
                                            const std::string& text) {
  Progress progress = Progress::kFailed;
  if (orphan_here(cluster, owner)) progress = orphan_elsewhere(cluster, owner, text);
  if (progress == Progress::kDone) {
    queue_.add(kReleaseElsewhere + std::string(owner), cluster.now + kOrphansNoticed);
  } else {
    const Duration pause = progress == Progress::kWaits ? kNoAnswerElsewhere : kRetryElsewhere;
    queue_.add(text, cluster.now + pause, Recurrence::kPeriodic);
  }
}

void GarbageCollector::release_elsewhere(const ReconcileContext& cluster, const std::string& text) {
  AggregatedCalls* const calls = cluster.aggregated();
  if (calls == nullptr) return;
  const AggregatedObject* object = calls->object(std::string_view(text).substr(1));
  if (object == nullptr) return calls->forget(garbage_collector(text));
  const OwnerMetadata metadata = read_owned_metadata(object->metadata, cluster.arena);
  if (!metadata.terminating || !metadata.orphans) return calls->forget(garbage_collector(text));
  send(cluster, {"PATCH", object->path(), without_finalizer(*object, kOrphanFinalizer)}, text);
}

bool GarbageCollector::has_any_dependents(const ReconcileContext& cluster,
                                          std::string_view uid) const {
  AggregatedCalls* const calls = cluster.aggregated();
  return owners_.has_dependents(uid) || (calls != nullptr && !calls->dependents(uid).empty());
}

// Looks at all dependents that other servers have. Returns whether one of them blocks the deletion
// of the owner.
bool GarbageCollector::look_at_dependents_elsewhere(const ReconcileContext& cluster,
                                                    std::string_view owner) {
  AggregatedCalls* const calls = cluster.aggregated();
  if (calls == nullptr) return false;
  bool blocked = false;
  for (const std::string& uid : calls->dependents(owner)) {
    const AggregatedObject* object = calls->object(uid);
    if (object == nullptr) continue;
    const OwnerMetadata metadata = read_owned_metadata(object->metadata, cluster.arena);
    blocked = blocked || is_blocked_by(metadata, owner);
    queue_.add(kChangedElsewhere + uid, cluster.now);
  }
  return blocked;
}

// Removes the references of other servers' objects to the owner.
GarbageCollector::Progress GarbageCollector::orphan_elsewhere(const ReconcileContext& cluster,
                                                              std::string_view owner,
                                                              const std::string& text) {
  AggregatedCalls* const calls = cluster.aggregated();
  if (calls == nullptr) return Progress::kDone;
  Progress progress = Progress::kDone;
  for (const std::string& uid : calls->dependents(owner)) {
    const AggregatedObject* object = calls->object(uid);
    if (object == nullptr) continue;
    const AggregatedAnswer* answer = calls->ask(
        garbage_collector(text), {"PATCH", object->path(), without_owners(*object, {owner})});
    if (answer == nullptr) {
      progress = Progress::kWaits;
    } else if (!is_settled(*answer)) {
      calls->forget(garbage_collector(text));
      return Progress::kFailed;
    }
  }
  if (progress == Progress::kDone) calls->forget(garbage_collector(text));
  return progress;
}

}  // namespace tabernetes::controllers
