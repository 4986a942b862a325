// Objects as a typed client sees them: read, listed, selected and written by kind, namespace and
// name.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "controllers/informers/controlling_owner.h"
#include "controllers/loop/control_loop.h"
#include "controllers/shared/resources.h"
#include "controllers/shared/workload.h"
#include "json/value.h"
#include "registry/kind/resource_type.h"
#include "registry/meta/subresource.h"
#include "registry/selectors/label_selector.h"

namespace tabernetes::controllers {

// Returns whether `type` is that resource, in any version.
inline bool is(const registry::ResourceType& type, const Resource& resource) {
  return type.resource->plural == resource.plural && type.resource->group == resource.group;
}
const registry::ResourceType& type_of(const registry::Registry& registry, const Resource& resource);

// The key of an object in a queue: "NAMESPACE/NAME", or "NAME".
std::string queue_key(std::string_view ns, std::string_view name);
std::string queue_key(const json::Value& object);
// Returns namespace and name.
std::pair<std::string_view, std::string_view> split_queue_key(std::string_view key);

// Returns the object, or null if there is none.
json::Value get(const ReconcileContext& cluster, const Resource& resource, std::string_view ns,
                std::string_view name);
// Returns the objects of a namespace by name; of all namespaces if it is empty.
std::vector<json::Value> list(const ReconcileContext& cluster, const Resource& resource,
                              std::string_view ns = {});
// Returns those whose labels match.
std::vector<json::Value> list(const ReconcileContext& cluster, const Resource& resource,
                              std::string_view ns, const registry::LabelSelector& selector);
// Returns whether the labels of a record match.
bool selects(const registry::LabelSelector& selector, const store::Record& record);
// Returns the selector of a map of labels, as services have it.
registry::LabelSelector selector_of_labels(const json::Value& labels);

// Returns the reference to a stored object.
registry::ObjectRef ref_of(const ReconcileContext& cluster, const Resource& resource,
                           const json::Value& object);

using Change = std::function<void(json::Value& object)>;
// Changes the object as it is now, its status, or whether it is approved. Writes nothing if that
// makes no difference. Errors: those of a PUT.
Result<registry::Updated> update(const ReconcileContext& cluster, const registry::ObjectRef& ref,
                                 const Change& change);
Result<registry::Updated> update_status(const ReconcileContext& cluster,
                                        const registry::ObjectRef& ref, const Change& change);
Result<registry::Updated> update_approval(const ReconcileContext& cluster,
                                          const registry::ObjectRef& ref, const Change& change);
// Errors: those of a POST.
Result<store::RecordPtr> create(const ReconcileContext& cluster, const Resource& resource,
                                std::string_view ns, const json::Value& object);
// Deletes the object if it still has that uid (empty: any). Errors: those of a DELETE.
Result<registry::Deleted> delete_object(
    const ReconcileContext& cluster, const registry::ObjectRef& ref, std::string_view uid = {},
    registry::Propagation propagation = registry::Propagation::kUnset);

// --- Members of objects

// Returns a string that is copied to the arena.
json::Value text_value(std::string_view text, json::Arena& arena);
// Returns an object of these members; those that are null or empty texts are left out.
json::Value object_of(std::initializer_list<json::Member> members, json::Arena& arena);

inline std::string_view name_of(const json::Value& object) {
  return object.find("metadata")->string_at("name");
}
inline std::string_view namespace_of(const json::Value& object) {
  return object.find("metadata")->string_at("namespace");
}
inline std::string_view uid_of(const json::Value& object) {
  return object.find("metadata")->string_at("uid");
}
inline bool is_terminating(const json::Value& object) {
  return object.find("metadata")->find("deletionTimestamp") != nullptr;
}
// Returns the time at `path`, or nullopt.
std::optional<Time> time_at(const json::Value& object,
                            std::initializer_list<std::string_view> path);

// Returns a reference to `owner` as its controller, which blocks its deletion.
json::Value controller_ref_to(const Resource& resource, std::string_view kind,
                              const json::Value& owner, json::Arena& arena);

}  // namespace tabernetes::controllers
