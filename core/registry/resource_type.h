// A resource as the registry serves it: its facts from the schema, the rules that differ by kind,
// and where its objects lie in the store.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/group_version.h"
#include "registry/strategy.h"
#include "schema/schema.h"

namespace tabernetes::registry {

struct Conversion;

struct ResourceType {
  const schema::Resource* resource = nullptr;
  const Strategy* strategy = nullptr;
  std::size_t index = 0;    // its place in the table
  std::string key_prefix;   // "apps/deployments/"
  std::string head;         // `{"kind":"Pod","apiVersion":"v1",`: how an answer begins
  std::string api_version;  // "apps/v1"
  // Of a version that is stored as another one: that one, and how to turn one into the other.
  const ResourceType* storage = nullptr;
  const Conversion* conversion = nullptr;

  // As which type its objects are stored. Tables and metadata are made of that form, as upstream
  // makes them of its internal one.
  const ResourceType& stored_as() const { return storage != nullptr ? *storage : *this; }

  GroupResource group_resource() const {
    return {std::string(resource->group), std::string(resource->plural)};
  }
  // Kind and group, as Invalid names them.
  GroupResource group_kind() const {
    return {std::string(resource->group), std::string(resource->kind)};
  }
  // The store's key of an object; `ns` is empty for cluster-scoped resources.
  std::string key(std::string_view ns, std::string_view name) const;
  // What all keys of a collection begin with: of one namespace, or of all (`ns` empty).
  std::string collection_prefix(std::string_view ns) const;
  // The key as etcd would have it, for error texts: "/registry/services/specs/default/x".
  std::string etcd_key(std::string_view ns, std::string_view name) const;
};

// Namespace and name as a store key of `type` has them.
struct KeyParts {
  std::string_view ns, name;
};
KeyParts split_key(const ResourceType& type, std::string_view key);

// Every resource that is served, in catalogue order.
class ResourceTable {
 public:
  explicit ResourceTable(const schema::Catalogue& catalogue);

  // Null if there is none.
  const ResourceType* find(std::string_view group, std::string_view version,
                           std::string_view plural) const;
  // By kind, for manifests.
  const ResourceType* find_kind(std::string_view group, std::string_view version,
                                std::string_view kind) const;
  // As which type the object at a key of the store is stored; null if it is not one of these.
  const ResourceType* find_key(std::string_view key) const;
  const std::deque<ResourceType>& all() const { return types_; }

 private:
  std::deque<ResourceType> types_;
};

}  // namespace tabernetes::registry
