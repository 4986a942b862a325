#include "server/load.h"

#include <algorithm>
#include <string>

#include "codec/yaml.h"
#include "registry/kinds/load_order.h"
#include "registry/object_meta.h"
#include "server/document_object.h"

namespace tabernetes::server {
namespace {

using json::Value;

struct Entry {
  Value object;
  std::size_t document = 0;
};

bool ends_with_list(std::string_view kind) { return kind.size() >= 4 && kind.ends_with("List"); }

// A document, or the items of a list in it.
void append_entries(const Value& document, std::size_t number, std::vector<Entry>& entries) {
  const Value* items = document.find("items");
  if (ends_with_list(document.string_at("kind")) && items != nullptr && items->is_array()) {
    for (const Value& item : items->items()) entries.push_back({item, number});
  } else {
    entries.push_back({document, number});
  }
}

Result<void> store_object(Cluster& cluster, const Value& raw, json::Arena& arena) {
  TAB_TRY(const DocumentObject read, read_document_object(cluster.surface->resources, raw, arena));
  const registry::ResourceType* type = read.type;
  Value object = read.value;
  registry::ObjectMeta meta(object, arena);
  if (type->resource->namespaced && meta.ns().empty()) meta.set("namespace", "default");
  meta.erase("resourceVersion");
  const std::string ns(type->resource->namespaced ? meta.ns() : std::string_view());
  const std::string name(meta.name());
  const registry::WriteContext context{
      .arena = arena, .now = cluster.now, .origin = registry::Origin::kManifest};
  if (!cluster.store.get(type->key(ns, name))) {
    TAB_CHECK(cluster.registry.create(context, *type, ns, object));
    return {};
  }
  const auto replace = [&](const Value* stored) -> Result<Value> {
    Value wanted = object;
    registry::ObjectMeta(wanted, arena).take("resourceVersion", registry::metadata_of(*stored));
    return wanted;
  };
  TAB_CHECK(cluster.registry.update(context, {type, ns, name}, registry::Part::kWhole, replace));
  return {};
}

}  // namespace

std::vector<LoadError> load_manifest(Cluster& cluster, std::string_view manifest) {
  json::Arena arena;
  const codec::YamlDocuments read = codec::read_yaml_documents(manifest, arena);
  if (!read.error.empty()) return {{read.failed_document, read.error}};
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < read.documents.size(); ++i) {
    append_entries(read.documents[i], i + 1, entries);
  }
  std::stable_partition(entries.begin(), entries.end(), [](const Entry& entry) {
    return registry::kinds::loads_first(entry.object.string_at("kind"));
  });
  std::vector<LoadError> errors;
  for (const Entry& entry : entries) {
    json::Arena work;
    if (const auto stored = store_object(cluster, entry.object, work); !stored) {
      errors.push_back({entry.document, stored.error().message});
    }
  }
  return errors;
}

}  // namespace tabernetes::server
