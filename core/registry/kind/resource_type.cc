#include "registry/kind/resource_type.h"

#include <algorithm>
#include <utility>

#include "base/algorithm/sort.h"
#include "registry/kind/dynamic_kind.h"
#include "registry/kind/kind_behaviour.h"
#include "registry/meta/version_order.h"

namespace tabernetes::registry {
namespace {

std::string head_of(const schema::Resource& resource, const std::string& api_version) {
  return "{\"kind\":\"" + std::string(resource.kind) + "\",\"apiVersion\":\"" + api_version + "\",";
}

const ResourceType* served(const ResourceType* type) { return type->served ? type : nullptr; }

}  // namespace

std::shared_ptr<const void> ResourceType::hold() const {
  return defined_by == nullptr ? nullptr : defined_by->shared_from_this();
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
  key.append(etcd_path).append("/");
  if (!ns.empty()) key.append(ns).append("/");
  return key.append(name);
}

KeyParts split_key(const ResourceType& type, std::string_view key) {
  key.remove_prefix(type.key_prefix.size());
  const std::size_t slash = key.find('/');
  if (slash == std::string_view::npos) return {{}, key};
  return {key.substr(0, slash), key.substr(slash + 1)};
}

struct ResourceTable::BuiltIn {
  std::deque<ResourceType> types;
  std::vector<std::unique_ptr<const KindBehaviour>> behaviours;
};

ResourceTable::~ResourceTable() = default;

ResourceTable::ResourceTable(const schema::Catalogue& catalogue, const BuiltInKinds& kinds) {
  auto built_in = std::make_shared<BuiltIn>();
  std::deque<ResourceType>& types = built_in->types;
  for (const schema::Resource& resource : catalogue.resources()) {
    ResourceType type;
    type.resource = &resource;
    type.strategy = &kinds.strategy(resource);
    type.etcd_path = type.strategy->etcd_path.empty() ? resource.plural : type.strategy->etcd_path;
    type.key_prefix = std::string(resource.group.empty() ? "core" : resource.group) + "/" +
                      std::string(resource.plural) + "/";
    type.api_version =
        GroupVersion{std::string(resource.group), std::string(resource.version)}.to_string();
    type.head = head_of(resource, type.api_version);
    type.index = types.size();
    type.id = static_cast<std::uint32_t>(type.index) + 1;
    types.push_back(std::move(type));
    types_.push_back(&types.back());
  }
  for (ResourceType& type : types) {
    if (const auto to = kinds.stored_as(*type.resource)) {
      type.storage = find(to->group, to->version, to->plural);
      type.key_prefix = type.storage->key_prefix;
    }
  }
  for (ResourceType& type : types) {
    built_in->behaviours.push_back(kinds.behaviour(type));
    type.behaviour = built_in->behaviours.back().get();
  }
  for (const schema::Group& group : catalogue.groups()) groups_.push_back(&group);
  built_in_ = std::move(built_in);
}

ResourceTable::ResourceTable(const ResourceTable& other, DynamicKinds defined)
    : built_in_(other.built_in_), defined_(std::move(defined)) {
  for (const ResourceType& type : built_in_->types) types_.push_back(&type);
  for (const auto& kind : defined_) {
    const std::vector<const ResourceType*> types = kind->types();
    types_.insert(types_.end(), types.begin(), types.end());
  }
  for (const schema::Group* group : other.groups_) {
    if (!group->custom) groups_.push_back(group);
  }
  add_groups();
}

// Collects the groups of the established kinds: sorted by name, versions by preference, resources
// by plural.
void ResourceTable::add_groups() {
  for (const auto& kind : defined_) {
    if (!kind->established()) continue;
    auto group = std::find_if(defined_groups_.begin(), defined_groups_.end(),
                              [&](const schema::Group& g) { return g.name == kind->group(); });
    if (group == defined_groups_.end()) {
      group =
          defined_groups_.insert(group, {.name = kind->group(), .versions = {}, .custom = true});
    }
    for (const ResourceType* type : kind->types()) {
      if (!type->served) continue;
      const schema::Resource& resource = *type->resource;
      const std::string_view name = resource.version;
      auto& versions = group->versions;
      auto at = std::find_if(versions.begin(), versions.end(), [&](const auto& version) {
        return !version_precedes(version.version, name);
      });
      if (at == versions.end() || at->version != name) {
        at = versions.insert(at, {.version = name, .resources = {}});
      }
      auto& resources = at->resources;
      resources.insert(std::find_if(resources.begin(), resources.end(),
                                    [&](const schema::Resource* other) {
                                      return resource.plural < other->plural;
                                    }),
                       &resource);
    }
  }
  std::erase_if(defined_groups_, [](const schema::Group& g) { return g.versions.empty(); });
  sort_stable(defined_groups_,
              [](const schema::Group& a, const schema::Group& b) { return a.name < b.name; });
  for (const schema::Group& group : defined_groups_) groups_.push_back(&group);
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
  for (const ResourceType& type : built_in_->types) {
    if (type.key_prefix == prefix && type.storage == nullptr) return &type;
  }
  for (const auto& kind : defined_) {
    const ResourceType& type = kind->storage_type();
    if (type.key_prefix == prefix) return &type;
  }
  return nullptr;
}

}  // namespace tabernetes::registry
