#include "kinds/defaults_network.h"

#include "json/fill.h"
#include "kinds/default_class.h"

namespace tabernetes::registry::kinds {

using json::Value;

Result<void> admit_ingress(const HookContext& context, Value& object, const Value* old) {
  if (old != nullptr || !context.plugins.has(Plugin::kDefaultIngressClass)) return {};
  Value& spec = object_or_new(object, "spec", context.arena);
  if (spec.find("ingressClassName") != nullptr) return {};
  if (object.at({"metadata", "annotations", "kubernetes.io/ingress.class"}) != nullptr) return {};
  const std::string_view name =
      default_class(context, {"networking.k8s.io", "v1", "ingressclasses"},
                    {"ingressclass.kubernetes.io/is-default-class"});
  if (!name.empty()) spec.set(context.arena, "ingressClassName", Value::string(name));
  return {};
}

}  // namespace tabernetes::registry::kinds
