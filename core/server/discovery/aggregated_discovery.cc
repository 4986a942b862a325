#include "server/discovery/aggregated_discovery.h"

#include "json/build.h"
#include "server/discovery/discovery.h"

namespace tabernetes::server {
namespace {

using json::Arena;
using json::string_array;
using json::Value;

// Built-in kinds leave group and version empty where they are those of the place they stand in;
// clients fill them in.
Value response_kind(std::string_view group, std::string_view version, std::string_view kind,
                    Arena& arena) {
  Value object = Value::object(arena);
  object.append(arena, "group", Value::string(group));
  object.append(arena, "version", Value::string(version));
  object.append(arena, "kind", Value::string(kind));
  return object;
}

Value subresource_entry(const schema::Resource& parent, const schema::Subresource& subresource,
                        bool custom, Arena& arena) {
  const bool foreign = custom || has_foreign_kind(parent, subresource);
  Value entry = Value::object(arena);
  entry.append(arena, "subresource", Value::string(subresource.name));
  entry.append(arena, "responseKind",
               response_kind(foreign ? subresource.group : "", foreign ? subresource.version : "",
                             subresource.kind, arena));
  entry.append(arena, "verbs", string_array(subresource.verbs, arena));
  return entry;
}

// Custom kinds say whose they are.
Value resource_entry(const schema::Resource& resource, bool custom, Arena& arena) {
  Value entry = Value::object(arena);
  entry.append(arena, "resource", Value::string(resource.plural));
  entry.append(arena, "responseKind",
               response_kind(custom ? resource.group : "", custom ? resource.version : "",
                             resource.kind, arena));
  entry.append(arena, "scope", Value::string(resource.namespaced ? "Namespaced" : "Cluster"));
  entry.append(arena, "singularResource", Value::string(resource.singular));
  entry.append(arena, "verbs", string_array(resource.verbs, arena));
  if (!resource.short_names.empty()) {
    entry.append(arena, "shortNames", string_array(resource.short_names, arena));
  }
  if (!resource.categories.empty()) {
    entry.append(arena, "categories", string_array(resource.categories, arena));
  }
  if (!resource.subresources.empty()) {
    Value subresources = Value::array(arena);
    for (const schema::Subresource& subresource : resource.subresources) {
      subresources.push_back(arena, subresource_entry(resource, subresource, custom, arena));
    }
    entry.append(arena, "subresources", subresources);
  }
  return entry;
}

Value version_entry(const schema::ServedVersion& version, bool custom, Arena& arena) {
  Value resources = Value::array(arena);
  for (const schema::Resource* resource : served_resources(version)) {
    resources.push_back(arena, resource_entry(*resource, custom, arena));
  }
  Value entry = Value::object(arena);
  entry.append(arena, "version", Value::string(version.version));
  entry.append(arena, "resources", resources);
  entry.append(arena, "freshness", Value::string("Current"));
  return entry;
}

Value group_entry(const schema::Group& group, Arena& arena) {
  Value metadata = Value::object(arena);
  if (!group.name.empty()) metadata.append(arena, "name", Value::string(group.name));
  Value versions = Value::array(arena);
  for (const schema::ServedVersion* version : served_versions(group)) {
    versions.push_back(arena, version_entry(*version, group.custom, arena));
  }
  Value entry = Value::object(arena);
  entry.append(arena, "metadata", metadata);
  entry.append(arena, "versions", versions);
  return entry;
}

Value discovery_list(Value items, Arena& arena) {
  Value list = Value::object(arena);
  list.append(arena, "kind", Value::string("APIGroupDiscoveryList"));
  list.append(arena, "apiVersion", Value::string("apidiscovery.k8s.io/v2"));
  list.append(arena, "metadata", Value::object(arena));
  list.append(arena, "items", items);
  return list;
}

}  // namespace

Value aggregated_api(const Groups& groups, Arena& arena) {
  Value items = Value::array(arena);
  for (const schema::Group* each : groups) {
    const schema::Group& group = *each;
    if (group.name.empty()) items.push_back(arena, group_entry(group, arena));
  }
  return discovery_list(items, arena);
}

Value aggregated_apis(const Groups& groups, Arena& arena) {
  Value items = Value::array(arena);
  for (const schema::Group* each : groups) {
    const schema::Group& group = *each;
    if (group.name.empty() || served_versions(group).empty()) continue;
    items.push_back(arena, group_entry(group, arena));
  }
  return discovery_list(items, arena);
}

}  // namespace tabernetes::server
