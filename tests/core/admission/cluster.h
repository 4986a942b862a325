// A registry with the built-in kinds and a chain of plugins, as in a cluster.
#pragma once

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "admission/chain.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "kinds/table/built_in_kind.h"
#include "registry/kind/kind_behaviour.h"
#include "registry/life/registry.h"
#include "registry/objects/object_record.h"

namespace tabernetes::admission {

inline std::string json_text(const json::Value& value) {
  std::string text;
  codec::write_json(value, text);
  return text;
}

class TestCluster {
 public:
  using Resource = registry::ObjectReader::Resource;

  static constexpr Resource kNamespaces{"", "v1", "namespaces"};
  static constexpr Resource kPods{"", "v1", "pods"};
  static constexpr Resource kConfigMaps{"", "v1", "configmaps"};
  static constexpr Resource kNodes{"", "v1", "nodes"};

  // Without ServiceAccount: no control loop makes accounts here.
  static PluginSet usual_plugins() {
    PluginSet plugins;
    plugins.set("ServiceAccount", false);
    return plugins;
  }

  explicit TestCluster(std::span<const Plugin> table = all_plugins(),
                       const PluginSet& on = usual_plugins())
      : chain(on, table) {
    REQUIRE(create(kNamespaces, "", "{'metadata':{'name':'default'}}").starts_with("{"));
    objects.set_admission(chain);
  }

  const registry::ResourceType& type(const Resource& resource) const {
    return *resources->find(resource.group, resource.version, resource.plural);
  }

  // Parses JSON with ' instead of ".
  json::Value read(std::string_view text) {
    std::string json(text);
    std::replace(json.begin(), json.end(), '\'', '"');
    const codec::JsonRead read = codec::read_json(arena.copy(json), arena);
    REQUIRE(read.ok());
    return read.value;
  }

  registry::WriteContext context() {
    pending.begin();
    return {.arena = arena,
            .now = now,
            .dry_run = dry_run,
            .origin = origin,
            .warnings = &warnings,
            .tracks_fields = false,
            .user = user,
            .pending = &pending};
  }

  // Returns the stored object as JSON, or the error message.
  std::string create(const Resource& resource, std::string_view ns, std::string_view text) {
    const registry::ResourceType& its_type = type(resource);
    const schema::DecodeResult decoded =
        its_type.behaviour->decode(read(text), arena, registry::DecodeFor::kObject);
    REQUIRE(decoded.error.empty());
    const auto made = objects.create(context(), its_type, ns, decoded.value);
    return made ? json_text(registry::read_object(its_type, **made, arena)) : made.error().message;
  }
  std::string create_pod(std::string_view name, std::string_view spec = "") {
    return create(kPods, "default",
                  "{'metadata':{'name':'" + std::string(name) + "'},'spec':{" + std::string(spec) +
                      (spec.empty() ? "" : ",") + "'containers':[{'name':'c','image':'i'}]}}");
  }

  // Stores the object as changed by `change`; returns it as JSON, or the error message.
  template <typename Change>
  std::string update(const Resource& resource, std::string_view ns, std::string_view name,
                     const Change& change) {
    const registry::ResourceType& its_type = type(resource);
    const auto updated =
        objects.update(context(), {&its_type, ns, name}, registry::Subresource::kNone,
                       [&](const json::Value* stored) -> Result<json::Value> {
                         json::Value object = stored->clone(arena);
                         change(object);
                         return object;
                       });
    return updated ? json_text(registry::read_object(its_type, *updated->record, arena))
                   : updated.error().message;
  }

  // Returns "gone", "kept", or the error message.
  std::string remove(const Resource& resource, std::string_view ns, std::string_view name,
                     const registry::DeleteOptions& options = {}) {
    const auto removed = objects.remove(context(), {&type(resource), ns, name}, options);
    if (!removed) return removed.error().message;
    return removed->gone ? "gone" : "kept";
  }

  json::Arena arena;
  Time now = Time::from_unix_milliseconds(1'780'315'200'000);
  Entropy entropy{nullptr, 1};
  store::Store store{store::History::Limits{}};
  std::shared_ptr<const registry::ResourceTable> resources = registry::built_in_resources();
  schema::GatedFields gated_fields{schema::FeatureGates()};
  registry::Registry objects{resources, gated_fields, store, entropy};
  Chain chain;
  registry::PendingWork pending;
  std::vector<std::string> warnings;
  bool dry_run = false;
  registry::Origin origin = registry::Origin::kClient;
  const registry::User* user = nullptr;
};

inline bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Whether an answer of create() or update() is an object.
inline bool stored(std::string_view answer) { return answer.starts_with("{"); }

// The usual plugins and one more.
inline PluginSet with(std::string_view plugin) {
  PluginSet plugins = TestCluster::usual_plugins();
  plugins.set(plugin, true);
  return plugins;
}

}  // namespace tabernetes::admission
