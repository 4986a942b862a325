#include "server/cluster/load.h"

#include <string>

#include "base/algorithm/sort.h"
#include "codec/json_list.h"
#include "codec/json_reader.h"
#include "codec/yaml.h"
#include "json/fill.h"
#include "kinds/table/load_order.h"
#include "registry/meta/object_meta.h"
#include "server/cluster/document_object.h"
#include "server/encode/fault.h"

namespace tabernetes::server {
namespace {

using json::Value;
using registry::kinds::LoadPhase;

struct Entry {
  Value object;           // already parsed, or
  std::string_view json;  // still to be parsed
  LoadPhase phase = LoadPhase::kObjects;
  std::size_t document = 0;
};

Entry entry_of(const Value& object, std::size_t document) {
  return {object, {}, registry::kinds::load_phase(object.string_at("kind")), document};
}

// Appends a document, or the items of a list in it.
void append_entries(const Value& document, std::size_t number, std::vector<Entry>& entries) {
  if (const Value* items = registry::kinds::list_items(document)) {
    for (const Value& item : items->items()) entries.push_back(entry_of(item, number));
  } else {
    entries.push_back(entry_of(document, number));
  }
}

// Parses a manifest into entries; returns a fault for a document that cannot be parsed.
std::vector<LoadFault> read_entries(std::string_view manifest, json::Arena& arena,
                                    std::vector<Entry>& entries) {
  if (const auto items = codec::split_json_list(manifest)) {
    entries.reserve(items->size());
    for (const codec::JsonItem& item : *items) {
      entries.push_back({{}, item.text, registry::kinds::load_phase(item.kind), 1});
    }
    return {};
  }
  const codec::YamlDocuments read = codec::read_yaml_documents(manifest, arena);
  if (!read.error.empty()) return {{read.failed_document, {read.error}}};
  for (std::size_t i = 0; i < read.documents.size(); ++i) {
    append_entries(read.documents[i], i + 1, entries);
  }
  return {};
}

constexpr std::string_view kNoWebhooks =
    "conversion webhooks are not called while a manifest is loaded";

Result<void> store_object(Cluster& cluster, const Value& raw, std::string_view manager,
                          ExistingObjects existing, json::Arena& arena,
                          registry::PendingWork& pending) {
  TAB_TRY(const DocumentObject read,
          read_document_object(cluster.registry.resources(), raw, arena));
  const registry::ResourceType* type = read.type;
  Value object = read.value;
  registry::ObjectMeta meta(object, arena);
  if (type->resource->namespaced && meta.ns().empty()) meta.set("namespace", "default");
  meta.erase("resourceVersion");
  const Value* given_status = raw.find("status");
  const bool gives_status = given_status != nullptr && given_status->size() > 0;
  const std::string ns(type->resource->namespaced ? meta.ns() : std::string_view());
  const std::string name(meta.name());
  const registry::WriteContext context{.arena = arena,
                                       .now = cluster.now,
                                       .origin = registry::Origin::kManifest,
                                       .manager = std::string(manager),
                                       .pending = &pending};
  if (!cluster.store.get(type->key(ns, name))) {
    TAB_CHECK(cluster.registry.create(context, *type, ns, object));
    return {};
  }
  if (existing == ExistingObjects::kKeep) return {};
  const auto replace = [&](const Value* stored) -> Result<Value> {
    Value wanted = object;
    registry::ObjectMeta(wanted, arena).take("resourceVersion", registry::metadata_of(*stored));
    // Decoding has filled in the zero values of a status.
    if (!gives_status) json::take_member(wanted, *stored, "status", arena);
    return wanted;
  };
  TAB_CHECK(
      cluster.registry.update(context, {type, ns, name}, registry::Subresource::kNone, replace));
  return {};
}

}  // namespace

std::vector<LoadFault> load_manifest(Cluster& cluster, std::string_view manifest,
                                     std::string_view manager, ExistingObjects existing) {
  json::Arena arena;
  std::vector<Entry> entries;
  std::vector<LoadFault> faults = read_entries(manifest, arena, entries);
  sort_stable(entries, [](const Entry& a, const Entry& b) { return a.phase < b.phase; });
  json::Arena work;
  bool defining = false;
  for (const Entry& entry : entries) {
    // The new kinds become served.
    if (defining && entry.phase != LoadPhase::kDefinitions) cluster.react();
    defining = entry.phase == LoadPhase::kDefinitions;
    registry::PendingWork pending;  // conversions are not possible here
    work.clear();
    const Value object =
        entry.json.empty() ? entry.object : codec::read_json(entry.json, work).value;
    if (const auto stored = store_object(cluster, object, manager, existing, work, pending);
        !stored) {
      faults.push_back({entry.document, pending.incomplete() ? Fault{std::string(kNoWebhooks)}
                                                             : fault_of(stored.error())});
    }
  }
  if (defining) cluster.react();
  return faults;
}

}  // namespace tabernetes::server
