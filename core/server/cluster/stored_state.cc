#include "server/cluster/stored_state.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "registry/record/stored_value.h"

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

// Makes records of stored values.
class RecordReader {
 public:
  // Returns null for a deletion.
  std::shared_ptr<store::Record> read(store::StoredChange& change) {
    if (!change.value) return nullptr;
    registry::ReadValue read = registry::read_stored_value(*change.value, change.revision);
    change.value->clear();
    change.value->shrink_to_fit();
    if (!read.record) read.record = unreadable(change.key, change.revision);
    read.record->key = std::move(change.key);
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
  std::vector<std::shared_ptr<ObjectRecord>> formed_;
};

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

}  // namespace

void reopen(Cluster& cluster, store::Stored stored) {
  RecordReader reader;
  store::TreeWriter tree;
  auto next = stored.changes.begin();
  for (; next != stored.changes.end() && next->revision <= stored.oldest; ++next) {
    if (auto record = reader.read(*next)) tree.put(std::move(record));
  }
  store::Store& store = cluster.store;
  store.restore({tree.tree(), stored.oldest});
  for (; next != stored.changes.end(); ++next) {
    const std::string key = next->key;
    store.replay(key, reader.read(*next), next->revision, next->time);
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
  RecordReader reader;
  bool defines = false;
  for (store::StoredChange& change : changes) {
    defines |= change.key.starts_with(cluster.registry.definitions()->prefix());
    const std::string key = change.key;
    cluster.store.replay(key, reader.read(change), change.revision, cluster.now);
  }
  if (defines) {
    cluster.registry.on_state_replaced();
  } else {
    cluster.registry.go_back(cluster.registry.shared_resources());
  }
}

store::Batch make_batch(const Cluster& cluster, std::size_t begin) {
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
      if (event.current) change.value = registry::write_stored_value(event.current);
    }
  } else {
    batch = make_whole(store);
  }
  batch.revision = store.revision();
  batch.oldest = batch.whole ? batch.revision : store.compacted_revision();
  batch.clock = cluster.now;
  batch.random = cluster.entropy.place();
  return batch;
}

}  // namespace tabernetes::server
