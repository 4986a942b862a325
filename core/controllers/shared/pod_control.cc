#include "controllers/shared/pod_control.h"

#include "controllers/shared/event_recorder.h"
#include "json/fill.h"
#include "registry/kind/kind_behaviour.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

const registry::ResourceType& created_pods_type(const ReconcileContext& cluster) {
  return *cluster.registry.resources().find("", "v1", "pods");
}

// Returns the prefix of the names of an owner's pods: with a dash, if that is a valid prefix.
std::string pods_prefix(std::string_view owner_name) {
  constexpr std::size_t kLongestName = 253;
  std::string prefix(owner_name);
  if (prefix.size() < kLongestName) prefix.push_back('-');
  return prefix;
}

}  // namespace

Value pod_from_template(const Owner& owner, const Value& pod_template, json::Arena& arena) {
  Value metadata = Value::object(arena);
  metadata.append(arena, "generateName", Value::string(arena.copy(pods_prefix(owner.name()))));
  if (const Value* given = pod_template.find("metadata")) {
    for (const std::string_view key : {"labels", "annotations", "finalizers"}) {
      take_member(metadata, *given, key, arena);
    }
  }
  Value owners = Value::array(arena);
  owners.push_back(arena, new_controller_ref(owner, arena));
  metadata.append(arena, "ownerReferences", owners);
  Value pod = Value::object(arena);
  pod.append(arena, "metadata", metadata);
  take_member(pod, pod_template, "spec", arena);
  return pod;
}

Result<void> create_pod(const ReconcileContext& cluster, const Owner& owner, const Value& pod) {
  json::Arena arena;
  const registry::ResourceType& type = created_pods_type(cluster);
  auto created =
      cluster.registry.create(cluster.context_in(arena), type, owner.ns(), pod.clone(arena));
  if (!created) {
    if (!is_namespace_terminating(created.error())) {
      record_event(cluster, owner.type, owner.object,
                   {owner.source, "Warning", "FailedCreate",
                    cluster.arena.copy("Error creating: " + created.error().message)});
    }
    return std::move(created).failure();
  }
  const std::string_view name = registry::split_key(type, (*created)->key).name;
  record_event(cluster, owner.type, owner.object,
               {owner.source, "Normal", "SuccessfulCreate",
                cluster.arena.copy("Created pod: " + std::string(name))});
  return {};
}

Result<void> delete_pod(const ReconcileContext& cluster, const Owner& owner,
                        std::string_view pod_name) {
  json::Arena arena;
  auto deleted = cluster.registry.remove(cluster.context_in(arena),
                                         {&created_pods_type(cluster), owner.ns(), pod_name}, {});
  if (!deleted) {
    if (deleted.error().code != 404) {
      record_event(cluster, owner.type, owner.object,
                   {owner.source, "Warning", "FailedDelete",
                    cluster.arena.copy("Error deleting: " + deleted.error().message)});
    }
    return std::move(deleted).failure();
  }
  record_event(cluster, owner.type, owner.object,
               {owner.source, "Normal", "SuccessfulDelete",
                cluster.arena.copy("Deleted pod: " + std::string(pod_name))});
  return {};
}

bool is_namespace_terminating(const ApiStatus& error) {
  if (!error.details) return false;
  for (const StatusCause& cause : error.details->causes) {
    if (cause.reason == "NamespaceTerminating") return true;
  }
  return false;
}

}  // namespace tabernetes::controllers
