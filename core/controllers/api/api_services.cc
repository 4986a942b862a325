#include "controllers/api/api_services.h"

#include <set>
#include <string>

#include "custom/definition/definitions.h"
#include "custom/objects/custom_kind.h"
#include "schema/decode.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr std::string_view kLabel = "kube-aggregator.kubernetes.io/automanaged";
// for all custom resources
constexpr std::int64_t kGroupPriority = 1000;
constexpr std::int64_t kVersionPriority = 100;

// Returns "v1.example.com" for each served version of the group.
std::set<std::string> wanted_services(const registry::ResourceTable& resources,
                                      std::string_view name) {
  std::set<std::string> wanted;
  for (const schema::Group* group : resources.groups()) {
    if (!group->custom || group->name != name) continue;
    for (const schema::ServedVersion& version : group->versions) {
      wanted.insert(std::string(version.version) + "." + std::string(name));
    }
  }
  return wanted;
}

Value service_object(const std::string& name, std::string_view group, json::Arena& arena) {
  const std::string_view kept = arena.copy(name);
  Value labels = Value::object(arena);
  labels.append(arena, kLabel, Value::string("true"));
  Value metadata = Value::object(arena);
  metadata.append(arena, "name", Value::string(kept));
  metadata.append(arena, "labels", labels);
  Value spec = Value::object(arena);
  spec.append(arena, "group", Value::string(group));
  spec.append(arena, "version", Value::string(kept.substr(0, kept.size() - group.size() - 1)));
  spec.append(arena, "groupPriorityMinimum", Value::integer(kGroupPriority));
  spec.append(arena, "versionPriority", Value::integer(kVersionPriority));
  Value object = Value::object(arena);
  object.append(arena, "metadata", metadata);
  object.append(arena, "spec", spec);
  return object;
}

bool is_managed(const store::Record& record) {
  return registry::label_of(record, kLabel) == std::string_view("true");
}

}  // namespace

void ApiServices::on_change(const registry::Registry&, const WatchEvent& change) {
  if (!registry::custom::is_definition(change.type)) return;
  const std::size_t dot = change.name.find('.');
  if (dot != std::string_view::npos) queue_.add(change.name.substr(dot + 1), change.due());
}

void ApiServices::reconcile(const ReconcileContext& cluster, const std::string& group) {
  const registry::ResourceType& type =
      *cluster.registry.resources().find("apiregistration.k8s.io", "v1", "apiservices");
  const std::set<std::string> wanted = wanted_services(cluster.registry.resources(), group);
  registry::WriteContext context = cluster.context();
  context.manager = "kube-apiserver";
  std::set<std::string> obsolete;
  cluster.registry.store().tree().scan(type.key_prefix, store::prefix_end(type.key_prefix),
                                       [&](std::string_view key, const store::RecordPtr& record) {
                                         std::string name(key.substr(type.key_prefix.size()));
                                         if (name.ends_with("." + group) && is_managed(*record) &&
                                             wanted.count(name) == 0 &&
                                             name.find('.') + 1 + group.size() == name.size()) {
                                           obsolete.insert(std::move(name));
                                         }
                                         return true;
                                       });
  for (const std::string& name : obsolete)
    (void)cluster.registry.remove(context, {&type, {}, name}, {});
  for (const std::string& name : wanted) {
    if (cluster.registry.store().get(type.key({}, name))) continue;
    const Value object = service_object(name, group, cluster.arena);
    (void)cluster.registry.create(
        context, type, {}, schema::decode_typed(*type.resource->type, object, cluster.arena).value);
  }
}

}  // namespace tabernetes::controllers
