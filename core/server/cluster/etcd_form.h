// Objects as kube-apiserver keeps them in etcd, and the records of this store.
//
// A path is the key in etcd without its prefix: "minions/a", "services/specs/default/b",
// "example.com/widgets/default/c". A value is an object in its storage version without its
// resourceVersion: protobuf in an envelope, JSON for definitions and APIServices (in the order of
// their fields) and custom resources (sorted).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "codec/unknown_fields.h"
#include "registry/life/registry.h"
#include "registry/record/stored_value.h"
#include "tabernetes/time.h"

namespace tabernetes::server {

// The paths of the built-in resources.
class EtcdPaths {
 public:
  explicit EtcdPaths(const registry::ResourceTable& resources);

  // Returns the types of the resource whose path `path` begins with, the stored one first, or null.
  const std::vector<const registry::ResourceType*>* find(std::string_view path) const;

 private:
  std::map<std::string, std::vector<const registry::ResourceType*>, std::less<>> types_;
};

class EtcdForm {
 public:
  // REQUIRES: the arguments outlive this object.
  EtcdForm(const EtcdPaths& paths, const registry::ResourceTable& resources)
      : paths_(paths), resources_(resources) {}

  // Returns the path of a key of the store.
  std::string path_of(std::string_view key) const;
  // Returns the key at a path; empty if it is of no known resource.
  std::string key_of(std::string_view path) const;
  // Returns the seconds after which the object at a key goes by itself; 0: never.
  std::uint64_t ttl_of(std::string_view key) const;

  // Returns the value of a record, with the unknown fields of the value that it replaces.
  std::string write(const store::Record& record, const codec::UnknownFields& unknown) const;
  // Reads the value at a path, with the defaults of now.
  registry::ReadValue read(registry::Registry& registry, Time now, std::string_view path,
                           std::string_view value, store::Revision revision) const;
  // Returns the fields of a value that only a newer server knows.
  codec::UnknownFields unknown_fields(std::string_view path, std::string_view value) const;

 private:
  const EtcdPaths& paths_;
  const registry::ResourceTable& resources_;
};

}  // namespace tabernetes::server
