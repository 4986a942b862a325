#include "server/cluster/stored_state.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/algorithm/sort.h"
#include "registry/record/stored_value.h"
#include "server/cluster/etcd_form.h"

namespace tabernetes::server {
namespace {

using json::Value;
using registry::ObjectRecord;

// Returns a corrupt object in the place of a value that cannot be read: its key alone is known.
std::shared_ptr<ObjectRecord> unreadable(std::string_view key, store::Revision revision) {
  // GROUP/PLURAL/NAME or GROUP/PLURAL/NAMESPACE/NAME
  const std::size_t plural = key.find('/') + 1;
  std::string_view name = key.substr(key.find('/', plural) + 1);
  json::Arena arena;
  Value metadata = Value::object(arena);
  if (const std::size_t slash = name.find('/'); slash != std::string_view::npos) {
    metadata.append(arena, "namespace", Value::string(name.substr(0, slash)));
    name.remove_prefix(slash + 1);
  }
  metadata.append(arena, "name", Value::string(name));
  Value object = Value::object(arena);
  object.append(arena, "metadata", metadata);
  auto record = std::static_pointer_cast<ObjectRecord>(registry::make_record(
      registry::encode_object(object, registry::VersionMember::kPresent), revision));
  record->bytes += ' ';
  return record;
}

// How objects look in shared storage.
EtcdForm form_of(const Cluster& cluster) {
  return {*cluster.etcd_paths, cluster.registry.resources()};
}

// Makes records of stored values.
class RecordReader {
 public:
  explicit RecordReader(Cluster& cluster) : cluster_(cluster) {}

  // Returns the key in the store; empty for a key that is nobody's.
  std::string key_of(const store::StoredChange& change) {
    return cluster_.shared ? form_of(cluster_).key_of(change.key) : change.key;
  }

  // Returns null for a deletion. `key` is that of key_of().
  std::shared_ptr<store::Record> read(store::StoredChange& change, const std::string& key) {
    if (!change.value) {
      cluster_.unknown_fields.erase(key);
      return nullptr;
    }
    if (cluster_.shared) note_unknown(change, key);
    registry::ReadValue read =
        cluster_.shared ? form_of(cluster_).read(cluster_.registry, cluster_.now, change.key,
                                                 *change.value, change.revision)
                        : registry::read_stored_value(*change.value, change.revision);
    change.value->clear();
    change.value->shrink_to_fit();
    if (!read.record) read.record = unreadable(key, change.revision);
    read.record->key = key;
    if (read.formed) formed_.push_back(read.record);
    return read.record;
  }

  // Notes in records which definition's form they have: those that are newer than the definition
  // were encoded for it. REQUIRES: nobody else has the records yet.
  void note_forms(const Cluster& cluster) {
    for (const std::shared_ptr<ObjectRecord>& record : formed_) {
      const registry::ResourceType* type = cluster.registry.resources().find_key(record->key);
      if (type == nullptr || type->built_in()) continue;
      std::string key(cluster.registry.definitions()->prefix());
      const store::RecordPtr definition = cluster.store.get(key.append(type->defined_by->name()));
      if (definition && definition->revision < record->revision) record->places.form = type->id;
    }
  }

 private:
  void note_unknown(const store::StoredChange& change, const std::string& key) {
    codec::UnknownFields unknown = form_of(cluster_).unknown_fields(change.key, *change.value);
    if (unknown.empty()) {
      cluster_.unknown_fields.erase(key);
    } else {
      cluster_.unknown_fields[key] = std::move(unknown);
    }
  }

  Cluster& cluster_;
  std::vector<std::shared_ptr<ObjectRecord>> formed_;
};

// Makes changes of others in the cluster's store.
class Adopting {
 public:
  explicit Adopting(Cluster& cluster) : cluster_(cluster), reader_(cluster) {}

  void add(store::StoredChange& change) {
    if (cluster_.shared && change.key == NodePortRange::kPath) {
      cluster_.node_ports.take(change.value, change.revision);
      any_ = true;
      return;
    }
    const std::string key = reader_.key_of(change);
    if (key.empty()) return;
    const bool defines = key.starts_with(cluster_.registry.definitions()->prefix());
    cluster_.store.replay(key, reader_.read(change, key), change.revision, cluster_.now);
    any_ = true;
    if (!defines) return;
    defines_ = true;
    // What follows may be of a kind that is defined now.
    if (cluster_.shared) cluster_.registry.on_state_replaced();
  }

  void finish() {
    if (defines_) {
      cluster_.registry.on_state_replaced();
    } else if (any_) {
      cluster_.registry.go_back(cluster_.registry.shared_resources());
    }
    reader_.note_forms(cluster_);
  }

 private:
  Cluster& cluster_;
  RecordReader reader_;
  bool any_ = false, defines_ = false;
};

// Returns the name of the definition of the custom resource at a path, "PLURAL.GROUP"; empty for
// other paths.
std::string definition_of(const Cluster& cluster, std::string_view path) {
  const std::size_t group = path.find('/');
  if (group == std::string_view::npos || path.substr(0, group).find('.') == std::string_view::npos)
    return {};
  if (cluster.etcd_paths->find(path) != nullptr) return {};
  const std::string_view rest = path.substr(group + 1);
  return std::string(rest.substr(0, rest.find('/'))) + "." + std::string(path.substr(0, group));
}

// Returns whether a change is of a kind that is defined by a later one only.
bool lacks_definitions(const Cluster& cluster, const store::Stored& stored) {
  constexpr std::string_view kDefinitions = "apiextensions.k8s.io/customresourcedefinitions/";
  std::set<std::string, std::less<>> defined, undefined;
  for (const store::StoredChange& change : stored.changes) {
    if (change.revision > stored.oldest) break;
    if (change.key.starts_with(kDefinitions))
      defined.insert(change.key.substr(kDefinitions.size()));
  }
  for (const store::StoredChange& change : stored.changes) {
    if (change.key.starts_with(kDefinitions)) {
      const std::string name = change.key.substr(kDefinitions.size());
      if (undefined.contains(name)) return true;
      if (change.value) defined.insert(name);
      continue;
    }
    std::string name = definition_of(cluster, change.key);
    if (!name.empty() && !defined.contains(name)) undefined.insert(std::move(name));
  }
  return false;
}

// Leaves out the history.
void keep_newest(store::Stored& stored) {
  std::map<std::string_view, std::uint64_t> newest;
  for (const store::StoredChange& change : stored.changes) newest[change.key] = change.revision;
  std::vector<store::StoredChange> kept;
  for (store::StoredChange& change : stored.changes) {
    if (change.value && newest[change.key] == change.revision) kept.push_back(std::move(change));
  }
  stored.changes = std::move(kept);
  stored.oldest = stored.revision;
}

// Replaces the state of a cluster by that of shared storage, and makes the changes since. In a
// state, definitions come first, as the kinds of other objects follow from them.
void replace(Cluster& cluster, store::Stored stored) {
  if (lacks_definitions(cluster, stored)) keep_newest(stored);
  const auto later = std::stable_partition(
      stored.changes.begin(), stored.changes.end(),
      [&](const store::StoredChange& change) { return change.revision <= stored.oldest; });
  std::vector<store::StoredChange> changes(std::make_move_iterator(later),
                                           std::make_move_iterator(stored.changes.end()));
  stored.changes.erase(later, stored.changes.end());
  cluster.unknown_fields.clear();
  cluster.node_ports = {};
  for (const store::StoredChange& change : stored.changes) {
    if (change.key == NodePortRange::kPath) cluster.node_ports.take(change.value, change.revision);
  }
  store::TreeWriter tree;
  const auto add = [&](bool definitions) {
    RecordReader reader(cluster);
    for (store::StoredChange& change : stored.changes) {
      const std::string key = reader.key_of(change);
      if (key.empty() || !change.value) continue;
      if (key.starts_with(cluster.registry.definitions()->prefix()) != definitions) continue;
      tree.put(reader.read(change, key));
    }
    cluster.store.restore({tree.tree(), stored.oldest});
    cluster.registry.on_state_replaced();
    reader.note_forms(cluster);
  };
  add(true);
  add(false);
  cluster.store.advance(cluster.now);
  adopt(cluster, std::move(changes));
  cluster.store.skip_to(std::max(cluster.store.revision(), stored.revision));
  cluster.asked = true;
}

// Settles the newest state.
void settle_all(Cluster& cluster) {
  store::Store& store = cluster.store;
  store.settle(store.snapshot(), store.history().end());
  cluster.shown = {cluster.registry.shared_resources(), cluster.authorizer()};
}

store::Batch make_whole(const store::Store& store) {
  store::Batch batch;
  batch.whole = true;
  batch.changes.reserve(store.tree().size());
  store.tree().scan({}, {}, [&](std::string_view key, const store::RecordPtr& record) {
    batch.changes.push_back({.key = std::string(key),
                             .revision = record->revision,
                             .replaces = 0,
                             .time = {},
                             .value = registry::write_stored_value(record)});
    return true;
  });
  return batch;
}

// Writes the changes of a batch as kube-apiserver would.
void put_in_form(const Cluster& cluster, const std::vector<WrittenTogether>& together,
                 store::Batch& batch) {
  const store::History& history = cluster.store.history();
  const EtcdForm form = form_of(cluster);
  auto range = together.begin();
  std::vector<std::string_view> resources;  // of the changes that are stored together
  store::Revision request = 0;              // whose they are
  std::size_t at = history.end() - batch.changes.size();
  std::set<std::string_view> made;  // the objects that did not exist before
  const codec::UnknownFields none;
  for (store::Change& change : batch.changes) {
    const store::Event& event = *history.at(at++);
    while (range != together.end() && range->last < change.revision) ++range;
    const bool within = range != together.end() && range->first < change.revision;
    if (!within || request != range->last) resources.clear();
    request = within ? range->last : 0;
    const std::string_view resource =
        event.key.substr(0, event.key.find('/', event.key.find('/') + 1));
    const bool repeats = std::find(resources.begin(), resources.end(), resource) != resources.end();
    change.with_previous = !resources.empty() && !repeats;
    if (repeats) resources.clear();
    if (within) resources.push_back(resource);
    change.key = form.path_of(event.key);
    change.ttl = form.ttl_of(event.key);
    if (!event.previous) made.insert(event.key);
    if (!event.current) continue;
    const auto unknown = cluster.unknown_fields.find(event.key);
    const bool keeps = unknown != cluster.unknown_fields.end() && !made.contains(event.key);
    change.value = Rope(form.write(*event.current, keeps ? unknown->second : none));
  }
}

}  // namespace

void reopen(Cluster& cluster, store::Stored stored) {
  if (cluster.shared) return replace(cluster, std::move(stored));
  RecordReader reader(cluster);
  store::TreeWriter tree;
  auto next = stored.changes.begin();
  for (; next != stored.changes.end() && next->revision <= stored.oldest; ++next) {
    const std::string key = next->key;
    if (auto record = reader.read(*next, key)) tree.put(std::move(record));
  }
  store::Store& store = cluster.store;
  store.restore({tree.tree(), stored.oldest});
  for (; next != stored.changes.end(); ++next) {
    const std::string key = next->key;
    store.replay(key, reader.read(*next, key), next->revision, next->time);
  }
  store.skip_to(std::max(store.revision(), stored.revision));
  if (stored.random) cluster.entropy.go_to(*stored.random);
  cluster.now = std::max(cluster.now, stored.clock);
  store.advance(cluster.now);
  cluster.registry.on_state_replaced();
  reader.note_forms(cluster);
  cluster.asked = true;
}

void adopt(Cluster& cluster, std::vector<store::StoredChange> changes) {
  Adopting adopting(cluster);
  for (store::StoredChange& change : changes) adopting.add(change);
  adopting.finish();
}

store::Batch make_batch(const Cluster& cluster, std::size_t begin,
                        const std::vector<WrittenTogether>& together) {
  const store::Store& store = cluster.store;
  const store::History& history = store.history();
  store::Batch batch;
  if (history.kept(begin)) {
    batch.changes.reserve(history.end() - begin);
    for (std::size_t at = begin; at < history.end(); ++at) {
      const store::Event& event = *history.at(at);
      store::Change& change = batch.changes.emplace_back();
      change.key = event.key;
      change.revision = event.revision;
      change.replaces = event.previous ? event.previous->revision : 0;
      change.time = event.time;
      if (event.current && !cluster.shared)
        change.value = registry::write_stored_value(event.current);
    }
  } else {
    batch = make_whole(store);
  }
  if (cluster.shared) put_in_form(cluster, together, batch);
  batch.revision = store.revision();
  batch.oldest = batch.whole ? batch.revision : store.compacted_revision();
  batch.clock = cluster.now;
  batch.random = cluster.entropy.place();
  return batch;
}

bool Renumbered::stored(store::Revision before, store::Revision last) const {
  for (store::Revision tentative = before + 1; tentative <= last; ++tentative) {
    const Change* change = find(tentative);
    if (change == nullptr || change->revision == 0) return false;
  }
  return true;
}

Renumbered renumber(Cluster& cluster, store::Outcome outcome) {
  store::Store& store = cluster.store;
  const std::size_t begin = store.settled_end();
  const store::Revision last = store.revision(), settled = store.settled_revision();
  std::vector<store::EventPtr> events;
  for (std::size_t at = begin; at < store.history().end(); ++at) {
    events.push_back(store.history().at(at));
  }
  Renumbered result;
  if (!events.empty()) result.first = events.front()->revision;
  result.changes.resize(events.size());
  std::vector<std::size_t> order;  // of our changes that were stored
  for (std::size_t i = 0; i < events.size() && i < outcome.revisions.size(); ++i) {
    result.changes[i].revision = outcome.revisions[i];
    if (outcome.revisions[i] != 0) order.push_back(i);
  }
  sort_stable(order, [&](std::size_t a, std::size_t b) {
    return outcome.revisions[a] < outcome.revisions[b];
  });
  const bool all = order.size() == events.size();
  if (all) {
    store.undo();
    cluster.rewind(begin);
  } else {
    cluster.undo();
  }
  store.skip_to(settled);
  Adopting others(cluster);
  bool defines = false;
  auto other = outcome.others.begin();
  for (const std::size_t i : order) {
    Renumbered::Change& change = result.changes[i];
    for (; other != outcome.others.end() && other->revision <= change.revision; ++other) {
      others.add(*other);
    }
    std::shared_ptr<store::Record> record;
    if (events[i]->current) record = registry::renumbered(*events[i]->current, change.revision);
    change.record = record;
    const std::string key(events[i]->key);
    if (!events[i]->current || !events[i]->previous) cluster.unknown_fields.erase(key);
    defines |= key.starts_with(cluster.registry.definitions()->prefix());
    store.replay(key, std::move(record), change.revision, std::max(events[i]->time, cluster.now));
  }
  for (; other != outcome.others.end(); ++other) others.add(*other);
  others.finish();
  if (defines) cluster.registry.on_state_replaced();
  store.skip_to(std::max(store.revision(), outcome.revision));
  settle_all(cluster);
  store.skip_to(last);
  return result;
}

void take_in(Cluster& cluster, store::News news) {
  store::Store& store = cluster.store;
  const store::Revision last = store.revision();
  store.skip_to(store.settled_revision());
  if (news.whole) {
    replace(cluster, std::move(*news.whole));
  } else {
    adopt(cluster, std::move(news.changes));
  }
  store.skip_to(std::max(store.revision(), news.revision));
  settle_all(cluster);
  store.skip_to(last);
}

}  // namespace tabernetes::server
