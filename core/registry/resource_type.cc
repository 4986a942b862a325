#include "registry/resource_type.h"

#include <utility>

#include "registry/conversion.h"

namespace tabernetes::registry {
namespace {

std::string head_of(const schema::Resource& resource, const std::string& api_version) {
  return "{\"kind\":\"" + std::string(resource.kind) + "\",\"apiVersion\":\"" + api_version + "\",";
}

// Resources whose place in etcd is not their plural. Source: spec/list-watch.md 8.1.
std::string_view etcd_name(const schema::Resource& resource) {
  struct Place {
    std::string_view group, plural, place;
  };
  static constexpr Place kPlaces[] = {
      {"", "replicationcontrollers", "controllers"},
      {"", "services", "services/specs"},
      {"", "endpoints", "services/endpoints"},
      {"", "nodes", "minions"},
      {"networking.k8s.io", "ingresses", "ingress"},
      {"apiextensions.k8s.io", "customresourcedefinitions",
       "apiextensions.k8s.io/customresourcedefinitions"},
      {"apiregistration.k8s.io", "apiservices", "apiregistration.k8s.io/apiservices"},
  };
  for (const Place& place : kPlaces) {
    if (place.group == resource.group && place.plural == resource.plural) return place.place;
  }
  return resource.plural;
}

}  // namespace

std::string ResourceType::collection_prefix(std::string_view ns) const {
  std::string prefix = key_prefix;
  if (!ns.empty()) prefix.append(ns).append("/");
  return prefix;
}

std::string ResourceType::key(std::string_view ns, std::string_view name) const {
  return collection_prefix(ns).append(name);
}

std::string ResourceType::etcd_key(std::string_view ns, std::string_view name) const {
  std::string key = "/registry/";
  key.append(etcd_name(*resource)).append("/");
  if (!ns.empty()) key.append(ns).append("/");
  return key.append(name);
}

KeyParts split_key(const ResourceType& type, std::string_view key) {
  key.remove_prefix(type.key_prefix.size());
  const std::size_t slash = key.find('/');
  if (slash == std::string_view::npos) return {{}, key};
  return {key.substr(0, slash), key.substr(slash + 1)};
}

ResourceTable::ResourceTable(const schema::Catalogue& catalogue) {
  for (const schema::Resource& resource : catalogue.resources()) {
    ResourceType type;
    type.resource = &resource;
    type.strategy = &find_strategy(resource.group, resource.kind);
    type.key_prefix = std::string(resource.group.empty() ? "core" : resource.group) + "/" +
                      std::string(resource.plural) + "/";
    type.api_version =
        GroupVersion{std::string(resource.group), std::string(resource.version)}.to_string();
    type.head = head_of(resource, type.api_version);
    type.index = types_.size();
    types_.push_back(std::move(type));
  }
  for (ResourceType& type : types_) {
    const schema::Resource& r = *type.resource;
    type.conversion = find_conversion(r.group, r.version, r.plural);
    if (type.conversion == nullptr) continue;
    const Conversion& to = *type.conversion;
    type.storage = find(to.storage_group, to.storage_version, to.storage_plural);
    type.key_prefix = type.storage->key_prefix;
  }
}

const ResourceType* ResourceTable::find(std::string_view group, std::string_view version,
                                        std::string_view plural) const {
  for (const ResourceType& type : types_) {
    const schema::Resource& r = *type.resource;
    if (r.plural == plural && r.group == group && r.version == version) return &type;
  }
  return nullptr;
}

const ResourceType* ResourceTable::find_kind(std::string_view group, std::string_view version,
                                             std::string_view kind) const {
  for (const ResourceType& type : types_) {
    const schema::Resource& r = *type.resource;
    if (r.kind == kind && r.group == group && r.version == version) return &type;
  }
  return nullptr;
}

const ResourceType* ResourceTable::find_key(std::string_view key) const {
  const std::size_t plural = key.find('/') + 1;
  const std::string_view prefix = key.substr(0, key.find('/', plural) + 1);
  for (const ResourceType& type : types_) {
    if (type.key_prefix == prefix && type.storage == nullptr) return &type;
  }
  return nullptr;
}

}  // namespace tabernetes::registry
