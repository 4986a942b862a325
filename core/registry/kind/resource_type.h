// A resource as the registry serves it: its facts from the schema, the rules that differ by kind,
// and where its objects lie in the store.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/group_version.h"
#include "base/published.h"
#include "registry/kind/strategy.h"
#include "schema/schema.h"

namespace tabernetes::registry {

class DefinedKind;
class KindBehaviour;

// How the objects of a kind are kept and sent.
struct ObjectForm {
  // Members stand in the order of a Go type, which is stored without kind and apiVersion. False:
  // objects stand whole, members sorted by name, and say of themselves what they are.
  bool typed = true;
  bool protobuf = true;         // is offered, and read
  bool strategic_merge = true;  // patches of that type are taken
};

struct ResourceType {
  const schema::Resource* resource = nullptr;
  const Strategy* strategy = nullptr;
  std::size_t index = 0;  // its place in the table; of a custom resource 0
  // No two types that an object was ever shown as have the same.
  std::uint32_t id = 0;
  std::string key_prefix;   // "apps/deployments/"
  std::string head;         // `{"kind":"Pod","apiVersion":"v1",`: how an answer begins
  std::string api_version;  // "apps/v1"
  std::string etcd_place;   // "minions", "example.com/widgets": where etcd has its objects
  ObjectForm form = {};
  const KindBehaviour* behaviour = nullptr;
  // Of a built-in version that is stored as another one: that one.
  const ResourceType* storage = nullptr;
  // Of a kind that is defined while the server runs: its kind, which owns this type.
  const DefinedKind* defined_by = nullptr;
  bool served = true;             // the version is
  bool is_stored_version = true;  // of those of its kind

  bool built_in() const { return defined_by == nullptr; }

  // Keeps the type alive where it outlives the request; nothing for a built-in one, which does
  // anyway.
  std::shared_ptr<const void> hold() const;

  // As which type its objects are stored. Tables and metadata are made of that form, as upstream
  // makes them of its internal one.
  const ResourceType& stored_as() const { return storage != nullptr ? *storage : *this; }

  // Whether this is the type that its objects are stored as.
  bool stores() const { return storage == nullptr && is_stored_version; }

  // Whether the resource has its status apart, as a subresource.
  bool has_status() const { return resource->find_subresource("status") != nullptr; }

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

// Who knows the kinds that are built in.
class BuiltInKinds {
 public:
  // Names a resource.
  struct Resource {
    std::string_view group, version, plural;
  };

  virtual const Strategy& strategy(const schema::Resource& resource) const = 0;
  // As what it is stored, if that is another resource.
  virtual std::optional<Resource> stored_as(const schema::Resource& resource) const = 0;
  // REQUIRES: `type` outlives what is returned, and is complete but for its behaviour.
  virtual std::unique_ptr<const KindBehaviour> behaviour(const ResourceType& type) const = 0;

 protected:
  ~BuiltInKinds() = default;
};

// Every resource that is served: the built-in ones in catalogue order, then those that are defined.
// Never changes: where definitions do, a table takes the place of another.
class ResourceTable {
 public:
  using DefinedKinds = std::vector<std::shared_ptr<const DefinedKind>>;

  // REQUIRES: `kinds` outlives this table and those made of it.
  ResourceTable(const schema::Catalogue& catalogue, const BuiltInKinds& kinds);
  // The same built-in ones with these defined kinds, which are sorted by their names.
  ResourceTable(const ResourceTable& other, DefinedKinds defined);
  ~ResourceTable();

  // Null if there is none.
  const ResourceType* find(std::string_view group, std::string_view version,
                           std::string_view plural) const;
  // By kind, for manifests.
  const ResourceType* find_kind(std::string_view group, std::string_view version,
                                std::string_view kind) const;
  // As which type the object at a key of the store is stored; null if it is not one of these.
  const ResourceType* find_key(std::string_view key) const;
  const std::vector<const ResourceType*>& all() const { return types_; }
  // What discovery shows, in its order.
  const std::vector<const schema::Group*>& groups() const { return groups_; }
  const DefinedKinds& defined() const { return defined_; }
  // What others make of the table once and keep with it: its documents.
  const Published<std::shared_ptr<const void>>& documents() const { return documents_; }

 private:
  struct BuiltIn;

  void add_groups();

  std::shared_ptr<const BuiltIn> built_in_;
  DefinedKinds defined_;
  std::vector<const ResourceType*> types_;
  std::deque<schema::Group> defined_groups_;
  std::vector<const schema::Group*> groups_;
  Published<std::shared_ptr<const void>> documents_;
};

}  // namespace tabernetes::registry
