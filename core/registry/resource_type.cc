#include "registry/resource_type.h"

#include <algorithm>
#include <utility>

#include "base/sort.h"
#include "registry/conversion.h"
#include "registry/crd/custom_kind.h"
#include "registry/crd/version_order.h"

namespace tabernetes::registry {
namespace {

std::string head_of(const schema::Resource& resource, const std::string& api_version) {
  return "{\"kind\":\"" + std::string(resource.kind) + "\",\"apiVersion\":\"" + api_version + "\",";
}

const ResourceType* served(const ResourceType* type) {
  return type->custom != nullptr && !type->custom->served ? nullptr : type;
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

std::shared_ptr<const void> ResourceType::hold() const {
  return custom == nullptr ? nullptr : custom->kind->shared_from_this();
}

bool ResourceType::stores() const {
  return storage == nullptr && (custom == nullptr || custom->storage);
}

std::string ResourceType::collection_prefix(std::string_view ns) const { return key(ns, {}); }

std::string ResourceType::key(std::string_view ns, std::string_view name) const {
  std::string key;
  key.reserve(key_prefix.size() + ns.size() + 1 + name.size());
  key += key_prefix;
  if (!ns.empty()) key.append(ns).append("/");
  return key.append(name);
}

std::string ResourceType::etcd_key(std::string_view ns, std::string_view name) const {
  std::string key = "/registry/";
  if (custom != nullptr) key.append(resource->group).append("/");
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
  auto types = std::make_shared<std::deque<ResourceType>>();
  for (const schema::Resource& resource : catalogue.resources()) {
    ResourceType type;
    type.resource = &resource;
    type.strategy = &find_strategy(resource.group, resource.kind);
    type.key_prefix = std::string(resource.group.empty() ? "core" : resource.group) + "/" +
                      std::string(resource.plural) + "/";
    type.api_version =
        GroupVersion{std::string(resource.group), std::string(resource.version)}.to_string();
    type.head = head_of(resource, type.api_version);
    type.index = types->size();
    type.id = static_cast<std::uint32_t>(type.index) + 1;
    types->push_back(std::move(type));
    types_.push_back(&types->back());
  }
  for (ResourceType& type : *types) {
    const schema::Resource& r = *type.resource;
    type.conversion = find_conversion(r.group, r.version, r.plural);
    if (type.conversion == nullptr) continue;
    const Conversion& to = *type.conversion;
    type.storage = find(to.storage_group, to.storage_version, to.storage_plural);
    type.key_prefix = type.storage->key_prefix;
  }
  for (const schema::Group& group : catalogue.groups()) groups_.push_back(&group);
  built_in_ = std::move(types);
}

ResourceTable::ResourceTable(const ResourceTable& other, CustomKinds custom)
    : built_in_(other.built_in_), custom_(std::move(custom)) {
  for (const ResourceType& type : *built_in_) types_.push_back(&type);
  for (const auto& kind : custom_) {
    for (const crd::CustomVersion& version : kind->versions()) {
      types_.push_back(&version.type);
    }
  }
  for (const schema::Group* group : other.groups_) {
    if (!group->custom) groups_.push_back(group);
  }
  add_groups();
}

// Of the established kinds: by name, versions in the order of preference, resources by plural.
void ResourceTable::add_groups() {
  for (const auto& kind : custom_) {
    if (!kind->established()) continue;
    auto group = std::find_if(custom_groups_.begin(), custom_groups_.end(),
                              [&](const schema::Group& g) { return g.name == kind->group(); });
    if (group == custom_groups_.end()) {
      group = custom_groups_.insert(group, {.name = kind->group(), .versions = {}, .custom = true});
    }
    for (const crd::CustomVersion& custom : kind->versions()) {
      if (!custom.served) continue;
      const std::string_view name = custom.resource.version;
      auto& versions = group->versions;
      auto at = std::find_if(versions.begin(), versions.end(), [&](const auto& version) {
        return !crd::is_preferred(version.version, name);
      });
      if (at == versions.end() || at->version != name) {
        at = versions.insert(at, {.version = name, .resources = {}});
      }
      auto& resources = at->resources;
      resources.insert(std::find_if(resources.begin(), resources.end(),
                                    [&](const schema::Resource* other) {
                                      return custom.resource.plural < other->plural;
                                    }),
                       &custom.resource);
    }
  }
  std::erase_if(custom_groups_, [](const schema::Group& g) { return g.versions.empty(); });
  sort_stable(custom_groups_,
              [](const schema::Group& a, const schema::Group& b) { return a.name < b.name; });
  for (const schema::Group& group : custom_groups_) groups_.push_back(&group);
}

const ResourceType* ResourceTable::find(std::string_view group, std::string_view version,
                                        std::string_view plural) const {
  for (const ResourceType* type : types_) {
    const schema::Resource& r = *type->resource;
    if (r.plural == plural && r.group == group && r.version == version) return served(type);
  }
  return nullptr;
}

const ResourceType* ResourceTable::find_kind(std::string_view group, std::string_view version,
                                             std::string_view kind) const {
  for (const ResourceType* type : types_) {
    const schema::Resource& r = *type->resource;
    if (r.kind == kind && r.group == group && r.version == version) return served(type);
  }
  return nullptr;
}

const ResourceType* ResourceTable::find_key(std::string_view key) const {
  const std::size_t plural = key.find('/') + 1;
  const std::string_view prefix = key.substr(0, key.find('/', plural) + 1);
  for (const ResourceType& type : *built_in_) {
    if (type.key_prefix == prefix && type.storage == nullptr) return &type;
  }
  for (const auto& kind : custom_) {
    const ResourceType& type = kind->storage_type();
    if (type.key_prefix == prefix) return &type;
  }
  return nullptr;
}

}  // namespace tabernetes::registry
