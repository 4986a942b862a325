// The garbage collector's reconciliation of an object.

#include <algorithm>

#include "controllers/garbage/classified_owners.h"
#include "controllers/garbage/garbage_collector.h"
#include "controllers/shared/event_recorder.h"

namespace tabernetes::controllers {
namespace {

using json::Value;
using registry::ObjectRef;

constexpr std::string_view kEventSource = "garbage-collector-controller";

// Upstream's longest retry interval. Failures here do not go away with time alone.
constexpr Duration kRetry = Duration::from_seconds(1000);

// Updates an object's metadata.
template <typename Mutate>
bool change_metadata(const ReconcileContext& cluster, const ObjectRef& ref, const Mutate& mutate) {
  const auto transform = [&](const Value* stored) -> Result<Value> {
    if (stored == nullptr) {
      return errors::not_found(ref.type->group_resource(), ref.name);
    }
    Value object = stored->clone(cluster.arena);
    mutate(*object.find("metadata"));
    return object;
  };
  const auto updated = cluster.registry.update(cluster.context(), cluster.in_storage_version(ref),
                                               registry::Subresource::kNone, transform);
  return updated || updated.error().code == 404;
}

// Removes the items for which `is_out` holds from a list in metadata, and the list if it becomes
// empty.
template <typename IsOut>
void take_out(json::Arena& arena, Value& metadata, std::string_view list, const IsOut& is_out) {
  const Value* old = metadata.find(list);
  if (old == nullptr) return;
  Value kept = Value::array(arena);
  for (const Value& item : old->items()) {
    if (!is_out(item)) kept.push_back(arena, item);
  }
  if (kept.size() == 0) {
    metadata.erase(list);
  } else {
    metadata.set(arena, list, kept);
  }
}

template <typename IsOut>
bool remove_references(const ReconcileContext& cluster, const ObjectRef& ref, const IsOut& is_out) {
  return change_metadata(cluster, ref, [&](Value& metadata) {
    take_out(cluster.arena, metadata, "ownerReferences",
             [&](const Value& owner) { return is_out(owner.string_at("uid")); });
  });
}

bool remove_finalizer(const ReconcileContext& cluster, const ObjectRef& ref,
                      std::string_view finalizer) {
  return change_metadata(cluster, ref, [&](Value& metadata) {
    take_out(cluster.arena, metadata, "finalizers",
             [&](const Value& name) { return name.as_string() == finalizer; });
  });
}

bool remove(const ReconcileContext& cluster, const ObjectRef& ref, std::string_view uid,
            registry::Propagation propagation) {
  registry::DeleteOptions options;
  options.propagation = propagation;
  options.preconditions.uid = std::string(uid);
  const auto removed =
      cluster.registry.remove(cluster.context(), cluster.in_storage_version(ref), options);
  return removed || removed.error().code == 404;
}

// Clears blockOwnerDeletion in all owner references of the object.
void unblock_owners(const ReconcileContext& cluster, const ObjectRef& ref) {
  change_metadata(cluster, ref, [&](Value& metadata) {
    for (Value& owner : metadata.find("ownerReferences")->items()) {
      if (owner.find("blockOwnerDeletion") == nullptr) continue;
      owner.set(cluster.arena, "blockOwnerDeletion", Value::boolean(false));
    }
  });
}

void tell_of_owners_elsewhere(const ReconcileContext& cluster, const ObjectRef& ref,
                              const OwnerMetadata& metadata) {
  for (const OwnerReference& owner : metadata.owners) {
    const ObjectRef place = place_of(cluster.registry, owner, ref.ns);
    if (place.type == nullptr || place.ns.empty()) continue;
    if (state_of(cluster.registry, owner, ref.ns) != OwnerState::kDangling) continue;
    if (!is_in_other_namespace(cluster.registry, owner, place)) continue;
    const std::string ns(ref.ns);
    std::string message = "ownerRef [";
    message.append(owner.api_version).append("/").append(owner.kind);
    message.append(", namespace: ").append(ns).append(", name: ").append(owner.name);
    message.append(", uid: ").append(owner.uid);
    message.append("] does not exist in namespace \"").append(ns).append("\"");
    record_event(cluster, ref, {kEventSource, "Warning", "OwnerRefInvalidNamespace", message});
  }
}

}  // namespace

void GarbageCollector::reconcile(const ReconcileContext& cluster, const std::string& text) {
  if (reconcile_elsewhere(cluster, text)) return;
  const std::size_t blank = text.find(' ');
  const std::string_view key = std::string_view(text).substr(blank + 1);
  const registry::ResourceType* type = cluster.registry.resources().find_key(key);
  const auto [ns, name] = registry::split_key(*type, key);
  const Item item{{type, ns, name}, key, std::string_view(text).substr(1, blank - 1)};
  const store::RecordPtr record = cluster.registry.store().get(key);
  if (!record || uid_of(*record) != item.uid) return;
  const OwnerMetadata metadata = read_owned_metadata(*record, cluster.arena);
  bool done = true;
  if (text.front() == kOrphan) {
    done = orphan(cluster, item, text);
  } else if (text.front() == kRelease) {
    done = remove_finalizer(cluster, item.ref, kOrphanFinalizer);
  } else if (metadata.waits_for_dependents()) {
    done = end_wait(cluster, item);
  } else if (!metadata.terminating && !metadata.owners.empty()) {
    if (text.front() == kVerify) tell_of_owners_elsewhere(cluster, item.ref, metadata);
    done = look_at(cluster, item, metadata, text);
  }
  if (!done) queue_.add(text, cluster.now + kRetry, Recurrence::kPeriodic);
}

// Deletes an object without owners left, or removes its references to lost owners.
bool GarbageCollector::look_at(const ReconcileContext& cluster, const Item& item,
                               const OwnerMetadata& metadata, const std::string& text) {
  const ClassifiedOwners owners(cluster, metadata, item.ref.ns, text);
  if (owners.unanswered) return false;
  forget_answers_of(cluster, text);
  // Upstream retries until it knows the kind.
  if (!owners.resolved) return true;
  if (owners.solid) {
    if (owners.lost.empty()) return true;
    return remove_references(cluster, item.ref, [&](std::string_view uid) {
      return std::find(owners.lost.begin(), owners.lost.end(), uid) != owners.lost.end();
    });
  }
  if (owners.waiting && has_any_dependents(cluster, item.uid)) {
    if (has_waiting_dependent(cluster, item.uid)) unblock_owners(cluster, item.ref);
    return remove(cluster, item.ref, item.uid, registry::Propagation::kForeground);
  }
  return remove(cluster, item.ref, item.uid,
                metadata.orphans      ? registry::Propagation::kOrphan
                : metadata.foreground ? registry::Propagation::kForeground
                                      : registry::Propagation::kBackground);
}

// Ends the deletion of an object that waits for its dependents once none of them blocks it.
bool GarbageCollector::end_wait(const ReconcileContext& cluster, const Item& item) {
  const bool elsewhere = look_at_dependents_elsewhere(cluster, item.uid);
  const bool here = look_at_blocking_dependents(cluster, item.uid);
  return elsewhere || here || remove_finalizer(cluster, item.ref, kForegroundFinalizer);
}

bool GarbageCollector::look_at_blocking_dependents(const ReconcileContext& cluster,
                                                   std::string_view owner) {
  bool blocked = false;
  for (const OwnerIndex::Dependent& dependent : owners_.dependents(owner)) {
    if (!dependent.blocking) continue;
    blocked = true;
    const store::RecordPtr record = cluster.registry.store().get(dependent.key);
    if (!record || read_owned_metadata(*record, cluster.arena).waits_for_dependents()) continue;
    add(kLook, dependent.key, uid_of(*record), cluster.now);
  }
  return blocked;
}

bool GarbageCollector::orphan(const ReconcileContext& cluster, const Item& item,
                              const std::string& text) {
  if (!orphan_here(cluster, item.uid)) return false;
  if (orphan_elsewhere(cluster, item.uid, text) != Progress::kDone) return false;
  add(kRelease, item.key, item.uid, cluster.now + kOrphansNoticed);
  return true;
}

// Removes the references of objects here to the owner.
bool GarbageCollector::orphan_here(const ReconcileContext& cluster, std::string_view owner) {
  for (const OwnerIndex::Dependent& dependent : owners_.dependents(owner)) {
    const registry::ResourceType* type = cluster.registry.resources().find_key(dependent.key);
    const auto [ns, name] = registry::split_key(*type, dependent.key);
    const bool done = remove_references(cluster, {type, ns, name},
                                        [&](std::string_view uid) { return uid == owner; });
    if (!done) return false;
  }
  return true;
}

// Returns true if the object may be part of a cycle of owners that wait for each other.
bool GarbageCollector::has_waiting_dependent(const ReconcileContext& cluster,
                                             std::string_view uid) const {
  for (const OwnerIndex::Dependent& dependent : owners_.dependents(uid)) {
    const store::RecordPtr record = cluster.registry.store().get(dependent.key);
    if (record && read_owned_metadata(*record, cluster.arena).waits_for_dependents()) return true;
  }
  AggregatedCalls* const calls = cluster.aggregated();
  if (calls == nullptr) return false;
  for (const std::string& dependent : calls->dependents(uid)) {
    const AggregatedObject* object = calls->object(dependent);
    if (object == nullptr) continue;
    if (read_owned_metadata(object->metadata, cluster.arena).waits_for_dependents()) return true;
  }
  return false;
}

}  // namespace tabernetes::controllers
