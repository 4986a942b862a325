#include "registry/kinds/defaults_network.h"

#include "registry/kinds/default_class.h"
#include "registry/kinds/fill.h"

namespace tabernetes::registry::kinds {

using json::Value;

void set_endpoints_defaults(const HookContext& context, Value& object) {
  for (Value& subset : items_in(object, "subsets")) {
    for (Value& port : items_in(subset, "ports")) {
      fill_text(port, "protocol", "TCP", context.arena);
    }
  }
}

void set_endpoint_slice_defaults(const HookContext& context, Value& object) {
  for (Value& port : items_in(object, "ports")) {
    fill(port, "name", Value::string(""), context.arena);
    fill(port, "protocol", Value::string("TCP"), context.arena);
  }
}

void set_network_policy_defaults(const HookContext& context, Value& object) {
  Value& spec = spec_of(object, context.arena);
  for (const std::string_view direction : {"ingress", "egress"}) {
    for (Value& rule : items_in(spec, direction)) {
      for (Value& port : items_in(rule, "ports")) {
        fill(port, "protocol", Value::string("TCP"), context.arena);
      }
    }
  }
  if (!items_in(spec, "policyTypes").empty()) return;
  Value types = Value::array(context.arena);
  types.push_back(context.arena, Value::string("Ingress"));
  if (!items_in(spec, "egress").empty()) types.push_back(context.arena, Value::string("Egress"));
  spec.set(context.arena, "policyTypes", types);
}

void set_ingress_class_defaults(const HookContext& context, Value& object) {
  Value* parameters = object_in(spec_of(object, context.arena), "parameters");
  if (parameters == nullptr) return;
  fill(*parameters, "scope", Value::string("Cluster"), context.arena);
}

Result<void> admit_ingress(const HookContext& context, Value& object, const Value* old) {
  if (old != nullptr || !context.plugins.has(Plugin::kDefaultIngressClass)) return {};
  Value& spec = spec_of(object, context.arena);
  if (spec.find("ingressClassName") != nullptr) return {};
  if (object.at({"metadata", "annotations", "kubernetes.io/ingress.class"}) != nullptr) return {};
  const std::string_view name =
      default_class(context, {"networking.k8s.io", "v1", "ingressclasses"},
                    {"ingressclass.kubernetes.io/is-default-class"});
  if (!name.empty()) spec.set(context.arena, "ingressClassName", Value::string(name));
  return {};
}

}  // namespace tabernetes::registry::kinds
