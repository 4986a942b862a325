#include "controllers/network/slice_reconciler.h"

#include <algorithm>
#include <map>

#include "base/algorithm/sort.h"
#include "base/api/names.h"
#include "controllers/shared/objects.h"
#include "json/access.h"
#include "json/equality.h"
#include "json/fill.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

// A slice that is stored, or that is to be created (without a name).
struct Slice {
  std::string_view name;
  std::vector<Value> endpoints;
  Value ports;
  enum class Fate { kKept, kChanged, kDeleted } fate = Fate::kKept;
  bool is_recycled = false;  // it takes the place of one with other ports
};

// Endpoints with the same identity are one, in different states.
std::string identity(const Value& endpoint) {
  std::string text;
  for (const Value& address : items_in(endpoint, "addresses")) {
    text.append(address.as_string()).append(",");
  }
  text.append("|").append(endpoint.string_at("hostname"));
  text.append("|").append(text_at(endpoint, {"targetRef", "namespace"}));
  return text.append("/").append(text_at(endpoint, {"targetRef", "name"}));
}

bool is_owned(const Value& slice, const Value& owner) {
  for (const Value& reference : items_at(slice, {"metadata", "ownerReferences"})) {
    if (reference.string_at("uid") == owner.string_at("uid") &&
        reference.string_at("kind") == owner.string_at("kind")) {
      return true;
    }
  }
  return false;
}

bool same_ports(const Value* stored, const Value& wanted) {
  if (stored == nullptr || !stored->is_array()) return wanted.size() == 0;
  return json::deep_equal(*stored, wanted);
}

bool has_wanted_labels(const Value& slice, const Value& labels) {
  const Value* stored = slice.at({"metadata", "labels"});
  return stored != nullptr && json::deep_equal(*stored, labels);
}

// Returns whether a stored endpoint is the same as the wanted one, which has no hints yet.
bool equal_but_hints(const Value& wanted, const Value& stored) {
  const std::uint32_t hints = stored.find("hints") == nullptr ? 0 : 1;
  return wanted.size() + hints == stored.size() &&
         std::all_of(wanted.members().begin(), wanted.members().end(),
                     [&](const json::Member& member) {
                       return json::same_member(wanted, stored, member.key);
                     });
}

// Keeps what is still wanted of a stored slice, in its present state; `missing` are the endpoints
// that are in no slice yet.
Slice kept_part(const Value& stored, const EndpointGroup& group, const WantedSlices& wanted,
                std::map<std::string, Value>& missing) {
  Slice slice{name_of(stored), {}, group.ports};
  bool changed = false;
  const json::Range<Value> before = items_in(stored, "endpoints");
  for (const Value& endpoint : before) {
    const auto found = missing.find(identity(endpoint));
    if (found == missing.end()) continue;
    const bool same = wanted.hint ? equal_but_hints(found->second, endpoint)
                                  : json::deep_equal(found->second, endpoint);
    changed = changed || !same;
    slice.endpoints.push_back(same ? endpoint : found->second);
    missing.erase(found);
  }
  if (changed || slice.endpoints.size() != before.size()) {
    slice.fate = slice.endpoints.empty() ? Slice::Fate::kDeleted : Slice::Fate::kChanged;
  } else if (!has_wanted_labels(stored, wanted.labels) ||
             (wanted.is_annotated && !wanted.is_annotated(stored))) {
    slice.fate = Slice::Fate::kChanged;
  }
  return slice;
}

void fill_slice(Slice& slice, std::map<std::string, Value>& missing, std::size_t most) {
  while (!missing.empty() && slice.endpoints.size() < most) {
    slice.endpoints.push_back(missing.begin()->second);
    missing.erase(missing.begin());
    slice.fate = Slice::Fate::kChanged;
  }
}

// Returns the unchanged slice that the rest would fill best, or null.
Slice* best_fit(std::vector<Slice>& slices, std::size_t rest, std::size_t most) {
  Slice* best = nullptr;
  std::size_t least_room = most;
  for (Slice& slice : slices) {
    if (slice.fate != Slice::Fate::kKept || slice.name.empty()) continue;
    if (rest + slice.endpoints.size() > most) continue;
    const std::size_t room = most - rest - slice.endpoints.size();
    if (room < least_room) {
      least_room = room;
      best = &slice;
    }
  }
  return best;
}

// Distributes the group's endpoints over its stored slices and new ones.
std::vector<Slice> distribute(const EndpointGroup& group, const std::vector<Value>& stored,
                              const WantedSlices& wanted) {
  std::map<std::string, Value> missing;
  for (const Value& endpoint : group.endpoints) missing.insert({identity(endpoint), endpoint});
  std::vector<Slice> slices;
  for (const Value& slice : stored) {
    slices.push_back(kept_part(slice, group, wanted, missing));
  }
  std::vector<Slice*> changed;
  for (Slice& slice : slices) {
    if (slice.fate == Slice::Fate::kChanged) changed.push_back(&slice);
  }
  sort_stable(changed, [](const Slice* a, const Slice* b) {
    return a->endpoints.size() > b->endpoints.size();
  });
  for (Slice* slice : changed) fill_slice(*slice, missing, wanted.most_per_slice);
  while (!missing.empty()) {
    Slice* best = missing.size() < wanted.most_per_slice
                      ? best_fit(slices, missing.size(), wanted.most_per_slice)
                      : nullptr;
    if (best == nullptr) best = &slices.emplace_back(Slice{{}, {}, group.ports});
    fill_slice(*best, missing, wanted.most_per_slice);
  }
  return slices;
}

// What is to be written of all groups.
struct Changes {
  std::vector<Slice> created, updated, kept;
  std::vector<std::string_view> deleted;  // names, of slices that a new one may replace
  std::vector<std::string_view> foreign;  // of slices that belonged to an earlier owner

  void add(std::vector<Slice> slices) {
    for (Slice& slice : slices) {
      if (slice.name.empty()) {
        created.push_back(std::move(slice));
      } else if (slice.fate == Slice::Fate::kDeleted) {
        deleted.push_back(slice.name);
      } else if (slice.fate == Slice::Fate::kChanged) {
        updated.push_back(std::move(slice));
      } else {
        kept.push_back(std::move(slice));
      }
    }
  }
};

Changes changes_of(const WantedSlices& wanted, const std::vector<Value>& existing) {
  Changes changes;
  std::vector<Value> left = existing;
  for (const EndpointGroup& group : wanted.groups) {
    std::vector<Value> stored;
    for (auto it = left.begin(); it != left.end();) {
      if (is_owned(*it, wanted.owner) && same_ports(it->find("ports"), group.ports)) {
        stored.push_back(*it);
        it = left.erase(it);
      } else {
        ++it;
      }
    }
    changes.add(distribute(group, stored, wanted));
  }
  for (const Value& slice : left) {
    (is_owned(slice, wanted.owner) ? changes.deleted : changes.foreign).push_back(name_of(slice));
  }
  return changes;
}

// Lets one slice without endpoints stand for an owner that would have none.
void keep_empty_slice(const WantedSlices& wanted, const std::vector<Value>& existing,
                      json::Arena& arena, Changes& changes) {
  if (!changes.kept.empty() || !changes.created.empty() || !changes.updated.empty()) return;
  if (existing.size() == 1 && changes.deleted.size() == 1 &&
      items_in(existing[0], "endpoints").empty() && items_in(existing[0], "ports").empty() &&
      has_wanted_labels(existing[0], wanted.labels)) {
    changes.deleted.clear();
    return;
  }
  changes.created.push_back({{}, {}, Value::array(arena)});
}

// Sets hints, and writes what has others now.
void add_hints(const WantedSlices& wanted, Changes& changes) {
  std::vector<HintedSlice> slices;
  for (auto* part : {&changes.created, &changes.updated, &changes.kept}) {
    for (Slice& slice : *part) slices.push_back({&slice.endpoints, part != &changes.kept});
  }
  wanted.hint(slices);
  std::size_t place = changes.created.size() + changes.updated.size();
  std::vector<Slice> kept;
  for (Slice& slice : changes.kept) {
    (slices[place++].changes ? changes.updated : kept).push_back(std::move(slice));
  }
  changes.kept = std::move(kept);
}

void fill_in(const WantedSlices& wanted, const Slice& slice, json::Arena& arena, Value& object) {
  Value& metadata = object_or_new(object, "metadata", arena);
  metadata.set(arena, "labels", wanted.labels.clone(arena));
  wanted.annotate(metadata);
  if (wanted.is_written_anew && !slice.name.empty() && !slice.is_recycled) {
    metadata.erase("generateName");
  }
  object.set(arena, "addressType", Value::string(wanted.address_type));
  object.erase("endpoints");
  object.erase("ports");
  if (!slice.endpoints.empty()) {
    Value endpoints = Value::array(arena);
    for (const Value& endpoint : slice.endpoints) endpoints.push_back(arena, endpoint);
    object.set(arena, "endpoints", endpoints);
  }
  if (slice.ports.size() > 0) object.set(arena, "ports", slice.ports);
}

std::string create_slice(const ReconcileContext& cluster, const WantedSlices& wanted,
                         const Slice& slice) {
  json::Arena& arena = cluster.arena;
  Value object = Value::object(arena);
  Value& metadata = object_or_new(object, "metadata", arena);
  metadata.set(arena, "generateName", text_value(wanted.name_prefix, arena));
  Value owners = Value::array(arena);
  owners.push_back(arena, wanted.owner);
  metadata.set(arena, "ownerReferences", owners);
  fill_in(wanted, slice, arena, object);
  const auto made = create(cluster, kEndpointSlices, wanted.ns, object);
  return made ? std::string() : made.error().message;
}

std::string update_slice(const ReconcileContext& cluster, const WantedSlices& wanted,
                         const Slice& slice) {
  const registry::ObjectRef ref{&type_of(cluster.registry, kEndpointSlices), wanted.ns, slice.name};
  const auto updated =
      update(cluster, ref, [&](Value& object) { fill_in(wanted, slice, cluster.arena, object); });
  return updated ? std::string() : updated.error().message;
}

}  // namespace

std::string reconcile_slices(const ReconcileContext& cluster, const WantedSlices& wanted,
                             const std::vector<Value>& existing) {
  Changes changes = changes_of(wanted, existing);
  if (wanted.keeps_empty_slice) keep_empty_slice(wanted, existing, cluster.arena, changes);
  if (wanted.hint) add_hints(wanted, changes);
  // A slice that would be deleted becomes one that would be created.
  while (!changes.created.empty() && !changes.deleted.empty()) {
    Slice slice = std::move(changes.created.back());
    changes.created.pop_back();
    slice.name = changes.deleted.front();
    const auto old = std::find_if(existing.begin(), existing.end(), [&](const Value& candidate) {
      return name_of(candidate) == slice.name;
    });
    slice.is_recycled = !same_ports(old->find("ports"), slice.ports);
    changes.deleted.erase(changes.deleted.begin());
    changes.updated.push_back(std::move(slice));
  }
  if (!wanted.owner_is_terminating) {
    for (const Slice& slice : changes.created) {
      std::string error = create_slice(cluster, wanted, slice);
      if (!error.empty()) return "failed to create EndpointSlice: " + error;
    }
  }
  for (const Slice& slice : changes.updated) {
    std::string error = update_slice(cluster, wanted, slice);
    if (!error.empty()) {
      return "failed to update " + std::string(slice.name) + " EndpointSlice: " + error;
    }
  }
  for (const auto& names : {changes.deleted, changes.foreign}) {
    for (const std::string_view name : names) {
      (void)delete_object(cluster, {&type_of(cluster.registry, kEndpointSlices), wanted.ns, name});
    }
  }
  return {};
}

std::string slice_name_prefix(std::string_view owner) {
  std::string prefix = std::string(owner) + "-";
  if (prefix.size() > 253) prefix.pop_back();
  return prefix;
}

}  // namespace tabernetes::controllers
