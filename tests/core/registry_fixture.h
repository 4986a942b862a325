// A registry of the built-in kinds with a store of its own, for tests of higher layers.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "codec/json_reader.h"
#include "codec/json_writer.h"
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
  // Replaces the object with the same name like a PUT. Returns the error message, or an empty text.
  std::string update(const Resource& resource, std::string_view ns, std::string_view text) {
    const registry::ResourceType& type = type_of(resource);
    const json::Value object = decoded(type, ns, text);
    const auto updated = registry.update(
        context(), {&type, ns, text_at(object, {"metadata", "name"})}, registry::Subresource::kNone,
        [&](const json::Value*) -> Result<json::Value> { return object; });
    return updated ? std::string() : updated.error().message;
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

  const registry::ResourceType& type_of(const Resource& resource) const {
    return *resources->find(resource.group, resource.version, resource.plural);
  }

  json::Arena arena;
  Entropy entropy{nullptr, 1};
  store::Store store{store::History::Limits{}};
  std::shared_ptr<const registry::ResourceTable> resources = registry::built_in_resources();
  schema::GatedFields gated_fields{schema::FeatureGates()};
  registry::Registry registry{resources, gated_fields, store, entropy};

 private:
  registry::WriteContext context() {
    return {.arena = arena, .now = Time{}, .tracks_fields = false};
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
