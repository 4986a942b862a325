#include "server/aggregation/aggregated_discovery_parts.h"

#include <algorithm>
#include <cstdint>

#include "base/algorithm/sort.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "json/access.h"
#include "registry/meta/version_order.h"

namespace tabernetes::server {
namespace {

using json::Arena;
using json::Value;

constexpr int kCustomPriority = 1000;  // of all groups of custom resources

// Returns the priority of a group among all APIServices: its highest.
int priority_of(std::string_view name, const SchemaGroups& groups, const AggregatedParts& parts) {
  int highest = 0;
  for (const schema::Group* group : groups) {
    if (group->name == name) highest = group->custom ? kCustomPriority : group->priority;
  }
  for (const AggregatedPart& part : parts) {
    if (part.group == name) highest = std::max(highest, part.group_priority);
  }
  return highest;
}

// Returns the item whose `path` is `name`; one that is new stands behind those of its priority.
template <typename NameOf, typename Make>
Value& item_of(Value& items, std::string_view name, NameOf name_of, Make make,
               const SchemaGroups& groups, const AggregatedParts& parts, Arena& arena) {
  for (Value& item : items.items()) {
    if (name_of(item) == name) return item;
  }
  const int priority = priority_of(name, groups, parts);
  std::uint32_t at = 0;
  std::uint32_t index = 0;
  for (const Value& item : items.items()) {
    ++index;
    const int other = priority_of(name_of(item), groups, parts);
    if (other > priority || (other == priority && name_of(item) < name)) at = index;
  }
  items.insert(arena, at, make());
  for (Value& item : items.items()) {
    if (name_of(item) == name) return item;
  }
  return items;  // not reached
}

Value version_of(const AggregatedPart& part, Arena& arena) {
  Value entry = Value::object(arena);
  entry.append(arena, "groupVersion", Value::string(arena.copy(part.group + "/" + part.version)));
  entry.append(arena, "version", Value::string(arena.copy(part.version)));
  return entry;
}

// Adds the version of a part to an APIGroup, which may have none yet.
void add_version(Value& group, const AggregatedPart& part, Arena& arena) {
  Value* versions = group.find("versions");
  for (const Value& version : versions->items()) {
    if (version.string_at("version") == part.version) return;
  }
  const bool first = versions->size() == 0;
  versions->push_back(arena, version_of(part, arena));
  if (first) group.set(arena, "preferredVersion", version_of(part, arena));
}

Value empty_group(std::string_view name, Arena& arena) {
  Value group = Value::object(arena);
  group.append(arena, "name", Value::string(arena.copy(name)));
  group.append(arena, "versions", Value::array(arena));
  return group;
}

// The parts with the preferred versions first.
AggregatedParts by_version(AggregatedParts parts) {
  sort_stable(parts, is_preferred);
  return parts;
}

Value entry_of(const AggregatedPart& part, Arena& arena) {
  Value entry = Value::object(arena);
  // One whose server does not answer has no resources.
  if (part.available && !part.entry.empty()) {
    entry = codec::read_json(arena.copy(part.entry), arena).value;
  }
  entry.set(arena, "version", Value::string(arena.copy(part.version)));
  entry.set(arena, "freshness", Value::string(part.available ? "Current" : "Stale"));
  return entry;
}

Value response_kind(const Value& resource, Arena& arena) {
  Value kind = Value::object(arena);
  kind.append(arena, "group", Value::string(resource.string_at("group")));
  kind.append(arena, "version", Value::string(resource.string_at("version")));
  kind.append(arena, "kind", Value::string(resource.string_at("kind")));
  return kind;
}

void copy_list(const Value& from, Value& to, std::string_view member, Arena& arena) {
  const Value* list = from.find(member);
  if (list != nullptr && list->size() > 0) to.append(arena, member, *list);
}

Value resource_entry(const Value& resource, Arena& arena) {
  Value entry = Value::object(arena);
  entry.append(arena, "resource", Value::string(resource.string_at("name")));
  entry.append(arena, "responseKind", response_kind(resource, arena));
  entry.append(arena, "scope",
               Value::string(bool_at(resource, {"namespaced"}) ? "Namespaced" : "Cluster"));
  entry.append(arena, "singularResource", Value::string(resource.string_at("singularName")));
  copy_list(resource, entry, "verbs", arena);
  copy_list(resource, entry, "shortNames", arena);
  copy_list(resource, entry, "categories", arena);
  return entry;
}

void add_subresource(Value& resources, std::string_view parent, std::string_view name,
                     const Value& given, Arena& arena) {
  for (Value& resource : resources.items()) {
    if (resource.string_at("resource") != parent) continue;
    Value entry = Value::object(arena);
    entry.append(arena, "subresource", Value::string(name));
    entry.append(arena, "responseKind", response_kind(given, arena));
    copy_list(given, entry, "verbs", arena);
    if (resource.find("subresources") == nullptr) {
      resource.append(arena, "subresources", Value::array(arena));
    }
    resource.find("subresources")->push_back(arena, entry);
  }
}

}  // namespace

bool is_preferred(const AggregatedPart& a, const AggregatedPart& b) {
  if (a.version_priority != b.version_priority) return a.version_priority > b.version_priority;
  return registry::version_precedes(a.version, b.version);
}

void add_to_group_list(Value& document, const SchemaGroups& groups, const AggregatedParts& parts,
                       Arena& arena) {
  const auto name_of = [](const Value& item) { return item.string_at("name"); };
  for (const AggregatedPart& part : by_version(parts)) {
    Value& group = item_of(
        *document.find("groups"), part.group, name_of,
        [&] { return empty_group(part.group, arena); }, groups, parts, arena);
    add_version(group, part, arena);
  }
}

Value with_parts(Value document, std::string_view name, const AggregatedParts& parts,
                 Arena& arena) {
  for (const AggregatedPart& part : by_version(parts)) {
    if (part.group != name) continue;
    if (!document.is_object()) {
      document = Value::object(arena);
      document.append(arena, "kind", Value::string("APIGroup"));
      document.append(arena, "apiVersion", Value::string("v1"));
      document.append(arena, "name", Value::string(arena.copy(name)));
      document.append(arena, "versions", Value::array(arena));
    }
    add_version(document, part, arena);
  }
  return document;
}

void add_to_discovery(Value& document, const SchemaGroups& groups, const AggregatedParts& parts,
                      Arena& arena) {
  const auto name_of = [](const Value& item) { return text_at(item, {"metadata", "name"}); };
  for (const AggregatedPart& part : by_version(parts)) {
    Value& group = item_of(
        *document.find("items"), part.group, name_of,
        [&] {
          Value metadata = Value::object(arena);
          metadata.append(arena, "name", Value::string(arena.copy(part.group)));
          Value made = Value::object(arena);
          made.append(arena, "metadata", metadata);
          made.append(arena, "versions", Value::array(arena));
          return made;
        },
        groups, parts, arena);
    Value& versions = *group.find("versions");
    bool replaced = false;
    for (Value& version : versions.items()) {
      if (version.string_at("version") != part.version) continue;
      version = entry_of(part, arena);
      replaced = true;
    }
    if (!replaced) versions.push_back(arena, entry_of(part, arena));
  }
}

std::string entry_of_discovery(std::string_view text, std::string_view group,
                               std::string_view version) {
  Arena arena;
  const codec::JsonRead read = codec::read_json(arena.copy(text), arena);
  if (!read.ok()) return {};
  for (const Value& item : items_at(read.value, {"items"})) {
    if (text_at(item, {"metadata", "name"}) != group) continue;
    for (const Value& entry : items_at(item, {"versions"})) {
      if (entry.string_at("version") == version) return codec::json_text(entry);
    }
  }
  return {};
}

std::string entry_of_resource_list(std::string_view text, std::string_view version) {
  Arena arena;
  const codec::JsonRead read = codec::read_json(arena.copy(text), arena);
  if (!read.ok() || !read.value.is_object()) return {};
  Value resources = Value::array(arena);
  for (const Value& resource : items_at(read.value, {"resources"})) {
    const std::string_view name = resource.string_at("name");
    if (name.find('/') == name.npos) resources.push_back(arena, resource_entry(resource, arena));
  }
  for (const Value& resource : items_at(read.value, {"resources"})) {
    const std::string_view name = resource.string_at("name");
    const std::size_t slash = name.find('/');
    if (slash == name.npos) continue;
    add_subresource(resources, name.substr(0, slash), name.substr(slash + 1), resource, arena);
  }
  Value entry = Value::object(arena);
  entry.append(arena, "version", Value::string(version));
  entry.append(arena, "resources", resources);
  return codec::json_text(entry);
}

}  // namespace tabernetes::server
