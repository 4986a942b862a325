// DefaultIngressClass: sets the default class of an ingress without one. Source: upstream 1.36
// plugin/pkg/admission/network/defaultingressclass.

#include "admission/default_class.h"
#include "admission/plugins.h"
#include "json/fill.h"
#include "registry/kind/write_context.h"

namespace tabernetes::admission {

using json::Value;

Result<void> set_ingress_class(const AdmissionRequest& request, PluginState&) {
  json::Arena& arena = request.context.arena;
  Value& spec = object_or_new(request.object, "spec", arena);
  if (spec.find("ingressClassName") != nullptr) return {};
  if (request.object.at({"metadata", "annotations", "kubernetes.io/ingress.class"}) != nullptr) {
    return {};
  }
  const std::string_view name =
      default_class(request, {"networking.k8s.io", "v1", "ingressclasses"},
                    {"ingressclass.kubernetes.io/is-default-class"});
  if (!name.empty()) spec.set(arena, "ingressClassName", Value::string(name));
  return {};
}

}  // namespace tabernetes::admission
