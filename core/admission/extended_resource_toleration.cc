// ExtendedResourceToleration: a pod tolerates nodes that are reserved for the extended resources
// that it requests. Source: upstream 1.36 plugin/pkg/admission/extendedresourcetoleration.

#include <set>
#include <string_view>

#include "admission/plugins.h"
#include "json/access.h"
#include "json/fill.h"
#include "kinds/shared/resource_names.h"
#include "registry/kind/write_context.h"

namespace tabernetes::admission {

using json::Value;

Result<void> tolerate_extended_resources(const AdmissionRequest& request, PluginState&) {
  std::set<std::string_view> resources;
  for (const std::string_view list : {"containers", "initContainers"}) {
    for (const Value& container : items_at(request.object, {"spec", list})) {
      for (const json::Member& amount : members_at(container, {"resources", "requests"})) {
        if (registry::kinds::is_extended_resource(amount.key)) resources.insert(amount.key);
      }
    }
  }
  if (resources.empty()) return {};
  json::Arena& arena = request.context.arena;
  Value& spec = json::object_or_new(request.object, "spec", arena);
  Value tolerations = Value::array(arena);
  for (const Value& given : items_in(spec, "tolerations")) {
    const std::string_view key = given.string_at("key");
    if (given.string_at("effect") == "NoSchedule" && given.string_at("operator") == "Exists") {
      resources.erase(key);
    }
    tolerations.push_back(arena, given);
  }
  for (const std::string_view resource : resources) {
    Value toleration = Value::object(arena);
    toleration.append(arena, "key", Value::string(resource));
    toleration.append(arena, "operator", Value::string("Exists"));
    toleration.append(arena, "effect", Value::string("NoSchedule"));
    tolerations.push_back(arena, toleration);
  }
  spec.set(arena, "tolerations", tolerations);
  return {};
}

}  // namespace tabernetes::admission
