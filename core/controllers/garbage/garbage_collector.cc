#include "controllers/garbage/garbage_collector.h"

#include <algorithm>

#include "controllers/garbage/owner_state.h"
#include "controllers/loop/aggregated_calls.h"

namespace tabernetes::controllers {
namespace {

bool is_ignored(const registry::ResourceType& type) { return type.resource->kind == "Event"; }

bool names_owner(const OwnerMetadata& metadata, std::string_view uid) {
  return std::any_of(metadata.owners.begin(), metadata.owners.end(),
                     [&](const OwnerReference& owner) { return owner.uid == uid; });
}

bool same_reference(const OwnerReference& a, const OwnerReference& b) {
  return a.uid == b.uid && a.name == b.name && a.kind == b.kind && a.api_version == b.api_version;
}

}  // namespace

void GarbageCollector::forget() {
  owners_.clear();
  waiting_.clear();
}

void GarbageCollector::add(char action, std::string_view key, std::string_view uid, Time due) {
  std::string item(1, action);
  item.append(uid).append(" ").append(key);
  queue_.add(item, due);
}

void GarbageCollector::add_dependents(const registry::Registry& registry, std::string_view owner,
                                      Time due) {
  for (const OwnerIndex::Dependent& dependent : owners_.dependents(owner)) {
    const store::RecordPtr record = registry.store().get(dependent.key);
    if (record) add(kLook, dependent.key, uid_of(*record), due);
  }
}

void GarbageCollector::add_waiting(std::string_view owner, Time due) {
  const auto found = waiting_.find(owner);
  if (found == waiting_.end()) return;
  if (found->second.empty()) {
    queue_.add(kChangedElsewhere + std::string(owner), due);
  } else {
    add(kLook, found->second, owner, due);
  }
}

void GarbageCollector::on_change(const registry::Registry& registry, const WatchEvent& change) {
  if (is_ignored(change.type)) return;
  const auto has_news = [](const store::Record* record) {
    if (record == nullptr) return false;
    const registry::RecordOffsets& places = registry::offsets_of(*record);
    return places.owned || places.terminating;
  };
  json::Arena arena;
  const auto read = [&](const store::Record* record) {
    return has_news(record) ? read_owned_metadata(*record, arena) : OwnerMetadata();
  };
  if (change.now == nullptr) {
    OwnerMetadata last = read(change.before);
    last.uid = uid_of(*change.before);
    gone(registry, change, last);
    return;
  }
  if (!has_news(change.now) && !has_news(change.before)) return;
  if (change.before != nullptr && same_ownership(*change.before, *change.now)) return;
  const OwnerMetadata before = read(change.before);
  OwnerMetadata now = read(change.now);
  now.uid = uid_of(*change.now);
  on_owners_changed(registry, change, before, now);
  on_phase_changed(registry, change, before, now);
}

void GarbageCollector::on_owners_changed(const registry::Registry& registry,
                                         const WatchEvent& change, const OwnerMetadata& before,
                                         const OwnerMetadata& now) {
  const std::string key = change.type.key(change.ns, change.name);
  for (const OwnerReference& owner : before.owners) {
    const bool unblocked = owner.blocking && !is_blocked_by(now, owner.uid);
    if (!names_owner(now, owner.uid)) owners_.erase(owner.uid, key);
    if (unblocked) add_waiting(owner.uid, change.due());
  }
  for (const OwnerReference& owner : now.owners) {
    const bool blocks = is_blocked_by(now, owner.uid);
    if (!names_owner(before, owner.uid) || blocks != is_blocked_by(before, owner.uid)) {
      owners_.put(owner.uid, key, blocks);
    }
    const bool known =
        std::any_of(before.owners.begin(), before.owners.end(),
                    [&](const OwnerReference& old) { return same_reference(old, owner); });
    if (known) continue;
    const OwnerState state = state_of(registry, owner, change.ns);
    // Another server may have the kind.
    const char action = state == OwnerState::kUnresolved ? kLook : kVerify;
    if (state == OwnerState::kDangling || state == OwnerState::kUnresolved) {
      add(action, key, now.uid, change.due());
    }
  }
}

void GarbageCollector::on_phase_changed(const registry::Registry& registry,
                                        const WatchEvent& change, const OwnerMetadata& before,
                                        const OwnerMetadata& now) {
  const std::string key = change.type.key(change.ns, change.name);
  if (now.terminating && now.orphans && !(before.terminating && before.orphans)) {
    add(kOrphan, key, now.uid, change.due());
  } else if (now.waits_for_dependents() && !before.waits_for_dependents()) {
    waiting_[std::string(now.uid)] = key;
    add_dependents(registry, now.uid, change.due());
    add(kLook, key, now.uid, change.due());
  }
}

void GarbageCollector::gone(const registry::Registry& registry, const WatchEvent& change,
                            const OwnerMetadata& last) {
  const std::string key = change.type.key(change.ns, change.name);
  for (const OwnerReference& owner : last.owners) owners_.erase(owner.uid, key);
  add_dependents(registry, last.uid, change.due());
  for (const OwnerReference& owner : last.owners) add_waiting(owner.uid, change.due());
  waiting_.erase(std::string(last.uid));
}

}  // namespace tabernetes::controllers
