#include "controllers/shared/objects.h"

#include <algorithm>

#include "base/time/rfc3339.h"
#include "json/access.h"

namespace tabernetes::controllers {

using json::Value;
using registry::ResourceType;
using registry::Subresource;

const ResourceType& type_of(const registry::Registry& registry, const Resource& resource) {
  return *registry.resources().find(resource.group, resource.version, resource.plural);
}

std::string queue_key(std::string_view ns, std::string_view name) {
  std::string key(ns);
  if (!ns.empty()) key += '/';
  return key.append(name);
}

std::string queue_key(const Value& object) {
  return queue_key(namespace_of(object), name_of(object));
}

std::pair<std::string_view, std::string_view> split_queue_key(std::string_view key) {
  const std::size_t slash = key.find('/');
  if (slash == std::string_view::npos) return {{}, key};
  return {key.substr(0, slash), key.substr(slash + 1)};
}

Value get(const ReconcileContext& cluster, const Resource& resource, std::string_view ns,
          std::string_view name) {
  return cluster.read({&type_of(cluster.registry, resource), ns, name});
}

namespace {

template <typename Wanted>
std::vector<Value> list_where(const ReconcileContext& cluster, const Resource& resource,
                              std::string_view ns, const Wanted& wanted) {
  std::vector<Value> found;
  const ResourceType& type = type_of(cluster.registry, resource);
  const std::string prefix = type.collection_prefix(ns);
  cluster.registry.store().tree().scan(
      prefix, store::prefix_end(prefix), [&](std::string_view, const store::RecordPtr& record) {
        if (!wanted(*record)) return true;
        // Cloned, since a write may drop the record that the strings are views of.
        found.push_back(registry::read_object(type, *record, cluster.arena).clone(cluster.arena));
        return true;
      });
  return found;
}

}  // namespace

std::vector<Value> list(const ReconcileContext& cluster, const Resource& resource,
                        std::string_view ns) {
  return list_where(cluster, resource, ns, [](const store::Record&) { return true; });
}

std::vector<Value> list(const ReconcileContext& cluster, const Resource& resource,
                        std::string_view ns, const registry::LabelSelector& selector) {
  return list_where(cluster, resource, ns,
                    [&](const store::Record& record) { return selects(selector, record); });
}

bool selects(const registry::LabelSelector& selector, const store::Record& record) {
  return selector.matches_by([&](std::string_view key) { return registry::label_of(record, key); });
}

registry::LabelSelector selector_of_labels(const Value& labels) {
  std::string text;
  for (const json::Member& label : labels.members()) {
    text.append(text.empty() ? "" : ",").append(label.key).append("=");
    text.append(label.value.as_string());
  }
  auto selector = registry::parse_label_selector(text);
  return selector ? *std::move(selector) : registry::LabelSelector();
}

registry::ObjectRef ref_of(const ReconcileContext& cluster, const Resource& resource,
                           const Value& object) {
  return {&type_of(cluster.registry, resource), namespace_of(object), name_of(object)};
}

namespace {

Result<registry::Updated> change_object(const ReconcileContext& cluster,
                                        const registry::ObjectRef& ref, Subresource subresource,
                                        const Change& change) {
  const std::string_view name = subresource == Subresource::kStatus     ? "status"
                                : subresource == Subresource::kApproval ? "approval"
                                                                        : std::string_view();
  return cluster.registry.update(cluster.context(name), ref, subresource,
                                 [&](const Value* stored) -> Result<Value> {
                                   if (stored == nullptr)
                                     return errors::not_found(ref.type->group_resource(), ref.name);
                                   Value object = stored->clone(cluster.arena);
                                   change(object);
                                   return object;
                                 });
}

}  // namespace

Result<registry::Updated> update(const ReconcileContext& cluster, const registry::ObjectRef& ref,
                                 const Change& change) {
  return change_object(cluster, ref, Subresource::kNone, change);
}

Result<registry::Updated> update_status(const ReconcileContext& cluster,
                                        const registry::ObjectRef& ref, const Change& change) {
  return change_object(cluster, ref, Subresource::kStatus, change);
}

Result<registry::Updated> update_approval(const ReconcileContext& cluster,
                                          const registry::ObjectRef& ref, const Change& change) {
  return change_object(cluster, ref, Subresource::kApproval, change);
}

Result<store::RecordPtr> create(const ReconcileContext& cluster, const Resource& resource,
                                std::string_view ns, const Value& object) {
  return cluster.registry.create(cluster.context(), type_of(cluster.registry, resource), ns,
                                 object);
}

Result<registry::Deleted> delete_object(const ReconcileContext& cluster,
                                        const registry::ObjectRef& ref, std::string_view uid,
                                        registry::Propagation propagation) {
  registry::DeleteOptions options;
  options.propagation = propagation;
  if (!uid.empty()) options.preconditions.uid = std::string(uid);
  return cluster.registry.remove(cluster.context(), ref, options);
}

Value text_value(std::string_view text, json::Arena& arena) {
  return Value::string(arena.copy(text));
}

Value object_of(std::initializer_list<json::Member> members, json::Arena& arena) {
  Value object = Value::object(arena);
  for (const json::Member& member : members) {
    if (member.value.is_null()) continue;
    if (member.value.is_string() && member.value.as_string().empty()) continue;
    object.append(arena, member.key, member.value);
  }
  return object;
}

std::optional<Time> time_at(const Value& object, std::initializer_list<std::string_view> path) {
  const std::string_view text = text_at(object, path);
  return text.empty() ? std::nullopt : parse_rfc3339(text);
}

Value controller_ref_to(const Resource& resource, std::string_view kind, const Value& owner,
                        json::Arena& arena) {
  std::string api_version(resource.group);
  if (!api_version.empty()) api_version += '/';
  api_version.append(resource.version);
  return object_of({{"apiVersion", text_value(api_version, arena)},
                    {"kind", Value::string(kind)},
                    {"name", Value::string(name_of(owner))},
                    {"uid", Value::string(uid_of(owner))},
                    {"controller", Value::boolean(true)},
                    {"blockOwnerDeletion", Value::boolean(true)}},
                   arena);
}

}  // namespace tabernetes::controllers
