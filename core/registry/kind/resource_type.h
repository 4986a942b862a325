// A resource as served by the registry: its description from the schema, the behaviour of its kind,
// and the location of its objects in the store.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/algorithm/atomic_lazy.h"
#include "base/api/group_version.h"
#include "registry/kind/strategy.h"
#include "schema/schema.h"

namespace tabernetes::registry {

class DynamicKind;
class KindBehaviour;

// The formats in which the objects of a kind are stored and sent.
struct ObjectForm {
  // True: members are in the order of a Go type, and objects are stored without kind and
  // apiVersion. False: objects are stored whole, with members sorted by name.
  bool typed = true;
  bool protobuf = true;         // is offered and accepted
  bool strategic_merge = true;  // strategic merge patches are accepted
};

struct ResourceType {
  const schema::Resource* resource = nullptr;
  const Strategy* strategy = nullptr;
  std::size_t index = 0;  // position in the table; 0 for a custom resource
  // Unique among all types that objects were ever returned in.
  std::uint32_t id = 0;
  std::string key_prefix;   // "apps/deployments/"
  std::string head;         // `{"kind":"Pod","apiVersion":"v1",`: the start of a response
  std::string api_version;  // "apps/v1"
  std::string etcd_path;    // "minions", "example.com/widgets": the resource's path in etcd
  ObjectForm form = {};
  const KindBehaviour* behaviour = nullptr;
  // For a built-in version that is stored as another one: the type of that one.
  const ResourceType* storage = nullptr;
  // For a kind that is defined while the server runs: the kind, which owns this type.
  const DynamicKind* defined_by = nullptr;
  bool served = true;             // the version is served
  bool is_stored_version = true;  // this is the storage version of its kind

  bool built_in() const { return defined_by == nullptr; }

  // Returns an owner that keeps the type alive beyond the request; null for a built-in type, which
  // always lives on.
  std::shared_ptr<const void> hold() const;

  // Returns the type as which objects are stored. Tables and metadata are made from that version,
  // as upstream makes them from its internal one.
  const ResourceType& stored_as() const { return storage != nullptr ? *storage : *this; }

  // Returns true if objects are stored as this type.
  bool stores() const { return storage == nullptr && is_stored_version; }

  // Returns true if the status is a subresource.
  bool has_status() const { return resource->find_subresource("status") != nullptr; }

  GroupResource group_resource() const {
    return {std::string(resource->group), std::string(resource->plural)};
  }
  // Returns the kind and group for Invalid errors.
  GroupResource group_kind() const {
    return {std::string(resource->group), std::string(resource->kind)};
  }
  // Returns the store's key of an object; `ns` is empty for cluster-scoped resources.
  std::string key(std::string_view ns, std::string_view name) const;
  // Returns the common prefix of the keys of one namespace, or of all (`ns` empty).
  std::string collection_prefix(std::string_view ns) const;
  // Returns the key as in etcd, for error messages: "/registry/services/specs/default/x".
  std::string etcd_key(std::string_view ns, std::string_view name) const;
};

// The namespace and name in a store key of `type`.
struct KeyParts {
  std::string_view ns, name;
};
KeyParts split_key(const ResourceType& type, std::string_view key);

// Provides the built-in kinds.
class BuiltInKinds {
 public:
  // Names a resource.
  struct Resource {
    std::string_view group, version, plural;
  };

  virtual const Strategy& strategy(const schema::Resource& resource) const = 0;
  // Returns the resource as which it is stored, if that is another one.
  virtual std::optional<Resource> stored_as(const schema::Resource& resource) const = 0;
  // Returns the behaviour of `type`. REQUIRES: `type` is complete except for its behaviour, and
  // outlives the result.
  virtual std::unique_ptr<const KindBehaviour> behaviour(const ResourceType& type) const = 0;

 protected:
  ~BuiltInKinds() = default;
};

// Every served resource: the built-in ones in catalogue order, then those of definitions.
// Immutable: changed definitions make a new table.
class ResourceTable {
 public:
  using DynamicKinds = std::vector<std::shared_ptr<const DynamicKind>>;

  // REQUIRES: `kinds` outlives this table and the tables made from it.
  ResourceTable(const schema::Catalogue& catalogue, const BuiltInKinds& kinds);
  // Makes a table with the same built-in resources and these defined kinds, sorted by name.
  ResourceTable(const ResourceTable& other, DynamicKinds defined);
  ~ResourceTable();

  // Returns the type, or null.
  const ResourceType* find(std::string_view group, std::string_view version,
                           std::string_view plural) const;
  // Returns the type of a kind, for manifests, or null.
  const ResourceType* find_kind(std::string_view group, std::string_view version,
                                std::string_view kind) const;
  // Returns the type as which the object at a store key is stored, or null for an unknown key.
  const ResourceType* find_key(std::string_view key) const;
  const std::vector<const ResourceType*>& all() const { return types_; }
  // Returns the groups in discovery order.
  const std::vector<const schema::Group*>& groups() const { return groups_; }
  const DynamicKinds& defined() const { return defined_; }
  // Documents about the table, computed once and kept with it.
  const AtomicLazy<std::shared_ptr<const void>>& documents() const { return documents_; }

 private:
  struct BuiltIn;

  void add_groups();

  std::shared_ptr<const BuiltIn> built_in_;
  DynamicKinds defined_;
  std::vector<const ResourceType*> types_;
  std::deque<schema::Group> defined_groups_;
  std::vector<const schema::Group*> groups_;
  AtomicLazy<std::shared_ptr<const void>> documents_;
};

}  // namespace tabernetes::registry
