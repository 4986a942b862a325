#include "controllers/policy/expected_pods.h"

#include <algorithm>

#include "base/api/api_version.h"
#include "controllers/shared/controller_ref.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

// An object with replicas; an empty uid means not found.
struct Scaled {
  std::string_view uid;
  std::int64_t replicas = 0;
  std::string error;
};

// Returns the type that a reference names, or null.
const registry::ResourceType* kind_of_reference(const ReconcileContext& cluster,
                                                const Value& reference) {
  const auto [group, version] = split_api_version(reference.string_at("apiVersion"));
  return cluster.registry.resources().find_kind(group, version, reference.string_at("kind"));
}

// Returns the object that the reference names if its uid matches; otherwise null.
Value referred(const ReconcileContext& cluster, const Value& reference, std::string_view ns) {
  const registry::ResourceType* type = kind_of_reference(cluster, reference);
  if (type == nullptr) return {};
  const Value object = cluster.read({type, ns, reference.string_at("name")});
  if (object.is_null()) return {};
  return object.find("metadata")->string_at("uid") == reference.string_at("uid") ? object : Value();
}

Scaled scaled(const Value& object) {
  const Value* replicas = object.at({"spec", "replicas"});
  return {object.find("metadata")->string_at("uid"),
          replicas != nullptr && replicas->is_int() ? replicas->as_int() : 0,
          {}};
}

Scaled find_scaled(const ReconcileContext& cluster, const Value& reference, std::string_view ns) {
  const registry::ResourceType* type = kind_of_reference(cluster, reference);
  const std::string kind(reference.string_at("kind"));
  const std::string version(reference.string_at("apiVersion"));
  if (type == nullptr) {
    return {{}, 0, "no matches for kind \"" + kind + "\" in version \"" + version + "\""};
  }
  if (type->resource->find_subresource("scale") == nullptr) {
    return {
        {}, 0, type->group_resource().to_string() + " does not implement the scale subresource"};
  }
  const Value object = referred(cluster, reference, ns);
  if (object.is_null()) return {};
  if (kind == "ReplicaSet") {
    const Value* above = controller_of(object);
    if (above != nullptr && above->string_at("kind") == "Deployment") {
      const Value deployment = referred(cluster, *above, ns);
      if (!deployment.is_null()) return scaled(deployment);
    }
  }
  return scaled(object);
}

}  // namespace

ExpectedPods expected_pods(const ReconcileContext& cluster, const std::vector<Value>& pods) {
  ExpectedPods expected;
  std::vector<std::string_view> known;
  const auto is_known = [&](std::string_view uid) {
    return std::find(known.begin(), known.end(), uid) != known.end();
  };
  for (const Value& pod : pods) {
    const Value& metadata = *pod.find("metadata");
    const Value* reference = controller_of(pod);
    if (reference == nullptr) {
      expected.some_unmanaged = true;
      continue;
    }
    if (is_known(reference->string_at("uid"))) continue;
    const Scaled found = find_scaled(cluster, *reference, metadata.string_at("namespace"));
    if (found.uid.empty()) {
      expected.error = found.error.empty() ? "found no controllers for pod \"" +
                                                 std::string(metadata.string_at("name")) + "\""
                                           : found.error;
      return expected;
    }
    if (is_known(found.uid)) continue;
    known.push_back(found.uid);
    expected.count += found.replicas;
  }
  return expected;
}

}  // namespace tabernetes::controllers
