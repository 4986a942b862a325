// A registry of the built-in kinds, and of those defined in its store, for tests of higher layers.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "custom/definition/definitions.h"
#include "json/access.h"
#include "kinds/table/built_in_kind.h"
#include "registry/kind/kind_behaviour.h"
#include "registry/life/registry.h"
#include "registry/meta/object_meta.h"

namespace tabernetes::tests {

inline std::string json_text(const json::Value& value) {
  std::string text;
  codec::write_json(value, text);
  return text;
}

// There is the namespace `default`. Objects are JSON; `ns` of cluster-scoped resources is
// empty.
class RegistryFixture {
 public:
  using Resource = registry::ObjectReader::Resource;

  RegistryFixture() { put({"", "v1", "namespaces"}, "", R"({"metadata":{"name":"default"}})"); }

  // Stores a new object like a POST. Returns the error message, or an empty text.
  std::string create(const Resource& resource, std::string_view ns, std::string_view text) {
    const registry::ResourceType& type = type_of(resource);
    const auto made = registry.create(context(), type, ns, decoded(type, ns, text));
    return made ? std::string() : made.error().message;
  }
  // Replaces the object with the same name like a PUT that names the stored version. Returns the
  // error message, or an empty text.
  std::string update(const Resource& resource, std::string_view ns, std::string_view text) {
    const registry::ResourceType& type = type_of(resource);
    json::Value object = decoded(type, ns, text);
    const auto updated = registry.update(
        context(), {&type, ns, text_at(object, {"metadata", "name"})}, registry::Subresource::kNone,
        [&](const json::Value* stored) -> Result<json::Value> {
          const std::string_view version = text_at(*stored, {"metadata", "resourceVersion"});
          registry::ObjectMeta(object, arena).set("resourceVersion", version);
          return object;
        });
    return updated ? std::string() : updated.error().message;
  }
  // Deletes an object like a DELETE. Returns the error message, or an empty text.
  std::string erase(const Resource& resource, std::string_view ns, std::string_view name,
                    registry::Propagation propagation = registry::Propagation::kUnset) {
    registry::DeleteOptions options;
    options.propagation = propagation;
    const auto erased = registry.remove(context(), {&type_of(resource), ns, name}, options);
    return erased ? std::string() : erased.error().message;
  }
  // Stores an object unchanged: without defaults and validation.
  void put(const Resource& resource, std::string_view ns, std::string_view text) {
    const registry::ResourceType& type = type_of(resource);
    const json::Value object = decoded(type, ns, text);
    const std::string key = type.key(ns, text_at(object, {"metadata", "name"}));
    const store::RecordPtr old = store.get(key);
    const auto make = [&](store::Revision revision) {
      return registry::make_record(
          registry::encode_for_storage(type, object, registry::VersionMember::kPresent, arena),
          revision);
    };
    REQUIRE(store.put({key, old ? old->revision : 0, make}));
  }
  // Removes an object from the store at once, whatever holds it.
  void remove(const Resource& resource, std::string_view ns, std::string_view name) {
    REQUIRE(store.remove(type_of(resource).key(ns, name), 0));
  }

  // Returns the value at a path ("status.replicas") of a stored object as JSON, or an empty text.
  std::string stored(const Resource& resource, std::string_view ns, std::string_view name,
                     std::string_view path) {
    const json::Value object = registry.find_object(resource, ns, name, arena);
    const json::Value* value = json::follow(&object, path);
    return value == nullptr ? std::string() : json_text(*value);
  }

  bool exists(const Resource& resource, std::string_view ns, std::string_view name) const {
    return store.get(type_of(resource).key(ns, name)) != nullptr;
  }
  // Returns the names of the stored objects in a namespace, in order: "a b".
  std::string names(const Resource& resource, std::string_view ns) const {
    std::string names;
    const registry::ResourceType& type = type_of(resource);
    const std::string prefix = type.collection_prefix(ns);
    store.tree().scan(prefix, store::prefix_end(prefix),
                      [&](std::string_view key, const store::RecordPtr&) {
                        names.append(names.empty() ? "" : " ");
                        names.append(registry::split_key(type, key).name);
                        return true;
                      });
    return names;
  }

  const registry::ResourceType& type_of(const Resource& resource) const {
    return *registry.resources().find(resource.group, resource.version, resource.plural);
  }

  Time now;                              // of the writes
  const registry::User* user = nullptr;  // of the requests; null: the server itself

  json::Arena arena;
  Entropy entropy{nullptr, 1};
  store::Store store{store::History::Limits{}};
  std::shared_ptr<const registry::ResourceTable> resources = registry::built_in_resources();
  schema::GatedFields gated_fields{schema::FeatureGates()};
  registry::Registry registry{resources, gated_fields, store, entropy,
                              &registry::custom::definitions()};

 private:
  registry::WriteContext context() {
    return {.arena = arena, .now = now, .tracks_fields = false, .user = user};
  }
  json::Value decoded(const registry::ResourceType& type, std::string_view ns,
                      std::string_view text) {
    const codec::JsonRead read = codec::read_json(arena.copy(text), arena);
    REQUIRE(read.ok());
    auto decoded = type.behaviour->decode(read.value, arena, registry::DecodeFor::kObject);
    REQUIRE(decoded.error.empty());
    if (!ns.empty()) registry::ObjectMeta(decoded.value, arena).set("namespace", ns);
    return decoded.value;
  }
};

}  // namespace tabernetes::tests
