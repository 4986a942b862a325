#include "server/discovery/discovery.h"

#include <string>

#include "json/build.h"

namespace tabernetes::server {
namespace {

using json::Arena;
using json::string_array;
using json::Value;

// Returns "apps/v1".
Value group_version(std::string_view group, std::string_view version, Arena& arena) {
  if (group.empty()) return Value::string(version);
  std::string text(group);
  text.append("/").append(version);
  return Value::string(arena.copy(text));
}

// Returns a GroupVersionForDiscovery.
Value version_entry(std::string_view group, std::string_view version, Arena& arena) {
  Value entry = Value::object(arena);
  entry.append(arena, "groupVersion", group_version(group, version, arena));
  entry.append(arena, "version", Value::string(version));
  return entry;
}

// Appends the members of an APIGroup except kind and apiVersion. REQUIRES: versions is not empty.
void append_group(Value& object, const schema::Group& group,
                  const std::vector<const schema::ServedVersion*>& versions, Arena& arena) {
  object.append(arena, "name", Value::string(group.name));
  Value entries = Value::array(arena);
  for (const schema::ServedVersion* version : versions) {
    entries.push_back(arena, version_entry(group.name, version->version, arena));
  }
  object.append(arena, "versions", entries);
  object.append(arena, "preferredVersion",
                version_entry(group.name, versions.front()->version, arena));
}

Value plain_resource_entry(const schema::Resource& resource, bool with_hash, Arena& arena) {
  Value entry = Value::object(arena);
  entry.append(arena, "name", Value::string(resource.plural));
  entry.append(arena, "singularName", Value::string(resource.singular));
  entry.append(arena, "namespaced", Value::boolean(resource.namespaced));
  entry.append(arena, "kind", Value::string(resource.kind));
  entry.append(arena, "verbs", string_array(resource.verbs, arena));
  if (!resource.short_names.empty()) {
    entry.append(arena, "shortNames", string_array(resource.short_names, arena));
  }
  if (!resource.categories.empty()) {
    entry.append(arena, "categories", string_array(resource.categories, arena));
  }
  if (with_hash && !resource.storage_version_hash.empty()) {
    entry.append(arena, "storageVersionHash", Value::string(resource.storage_version_hash));
  }
  return entry;
}

Value subresource_entry(const schema::Resource& parent, const schema::Subresource& subresource,
                        Arena& arena) {
  std::string name(parent.plural);
  name.append("/").append(subresource.name);
  Value entry = Value::object(arena);
  entry.append(arena, "name", Value::string(arena.copy(name)));
  entry.append(arena, "singularName", Value::string(""));
  entry.append(arena, "namespaced", Value::boolean(parent.namespaced));
  if (has_foreign_kind(parent, subresource)) {
    entry.append(arena, "group", Value::string(subresource.group));
    entry.append(arena, "version", Value::string(subresource.version));
  }
  entry.append(arena, "kind", Value::string(subresource.kind));
  entry.append(arena, "verbs", string_array(subresource.verbs, arena));
  return entry;
}

Value resource_list(const schema::Group& group, const schema::ServedVersion& version,
                    bool with_hashes, Arena& arena) {
  Value list = Value::object(arena);
  list.append(arena, "kind", Value::string("APIResourceList"));
  // The legacy group's documents predate the field.
  if (!group.name.empty()) list.append(arena, "apiVersion", Value::string("v1"));
  list.append(arena, "groupVersion", group_version(group.name, version.version, arena));
  Value entries = Value::array(arena);
  for (const schema::Resource* resource : served_resources(version)) {
    entries.push_back(arena, plain_resource_entry(*resource, with_hashes, arena));
    for (const schema::Subresource& subresource : resource->subresources) {
      entries.push_back(arena, subresource_entry(*resource, subresource, arena));
    }
  }
  list.append(arena, "resources", entries);
  return list;
}

}  // namespace

std::vector<const schema::ServedVersion*> served_versions(const schema::Group& group) {
  std::vector<const schema::ServedVersion*> served;
  for (const schema::ServedVersion& version : group.versions) {
    if (version.served_by_default) served.push_back(&version);
  }
  return served;
}

std::vector<const schema::Resource*> served_resources(const schema::ServedVersion& version) {
  std::vector<const schema::Resource*> served;
  for (const schema::Resource* resource : version.resources) {
    if (resource->served_by_default) served.push_back(resource);
  }
  return served;
}

bool has_foreign_kind(const schema::Resource& parent, const schema::Subresource& subresource) {
  return !subresource.version.empty() &&
         (subresource.group != parent.group || subresource.version != parent.version);
}

Value api_versions(std::string_view server_address, Arena& arena) {
  Value versions = Value::array(arena);
  versions.push_back(arena, Value::string("v1"));
  Value address = Value::object(arena);
  address.append(arena, "clientCIDR", Value::string("0.0.0.0/0"));
  address.append(arena, "serverAddress", Value::string(arena.copy(server_address)));
  Value addresses = Value::array(arena);
  addresses.push_back(arena, address);

  Value document = Value::object(arena);
  document.append(arena, "kind", Value::string("APIVersions"));
  document.append(arena, "versions", versions);
  document.append(arena, "serverAddressByClientCIDRs", addresses);
  return document;
}

Value api_group_list(const Groups& groups, Arena& arena) {
  Value entries = Value::array(arena);
  for (const schema::Group* each : groups) {
    const schema::Group& group = *each;
    const auto versions = served_versions(group);
    if (group.name.empty() || versions.empty()) continue;
    Value entry = Value::object(arena);
    append_group(entry, group, versions, arena);
    entries.push_back(arena, entry);
  }
  Value list = Value::object(arena);
  list.append(arena, "kind", Value::string("APIGroupList"));
  list.append(arena, "apiVersion", Value::string("v1"));
  list.append(arena, "groups", entries);
  return list;
}

std::optional<Value> api_group(const Groups& groups, std::string_view name, Arena& arena) {
  if (name.empty()) return std::nullopt;
  for (const schema::Group* each : groups) {
    const schema::Group& group = *each;
    if (group.name != name) continue;
    const auto versions = served_versions(group);
    if (versions.empty()) return std::nullopt;
    Value document = Value::object(arena);
    document.append(arena, "kind", Value::string("APIGroup"));
    document.append(arena, "apiVersion", Value::string("v1"));
    append_group(document, group, versions, arena);
    return document;
  }
  return std::nullopt;
}

std::optional<Value> api_resource_list(const Groups& groups, std::string_view group_name,
                                       std::string_view version_name, bool with_hashes,
                                       Arena& arena) {
  for (const schema::Group* each : groups) {
    const schema::Group& group = *each;
    if (group.name != group_name) continue;
    for (const schema::ServedVersion* version : served_versions(group)) {
      if (version->version == version_name) {
        return resource_list(group, *version, with_hashes, arena);
      }
    }
  }
  return std::nullopt;
}

}  // namespace tabernetes::server
