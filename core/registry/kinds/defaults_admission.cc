#include "registry/kinds/defaults_admission.h"

#include "registry/kinds/fill.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Arena;
using json::Value;

void set_scopes(Value& holder, std::string_view rules, Arena& arena) {
  for (Value& rule : items_in(holder, rules)) fill(rule, "scope", Value::string("*"), arena);
}

// What webhooks and policies share: what they match.
void set_match_defaults(Value& matched, Arena& arena) {
  fill(matched, "matchPolicy", Value::string("Equivalent"), arena);
  fill_object(matched, "namespaceSelector", arena);
  fill_object(matched, "objectSelector", arena);
}

void set_webhook_defaults(Value& webhook, Arena& arena) {
  set_match_defaults(webhook, arena);
  fill(webhook, "failurePolicy", Value::string("Fail"), arena);
  fill_int(webhook, "timeoutSeconds", 10, arena);
  set_scopes(webhook, "rules", arena);
  const Value* config = object_in(webhook, "clientConfig");
  Value* service = config == nullptr ? nullptr : object_in(*config, "service");
  if (service != nullptr) fill_int(*service, "port", 443, arena);
}

void set_resource_defaults(const Value& spec, std::string_view name, Arena& arena) {
  Value* resources = object_in(spec, name);
  if (resources == nullptr) return;
  set_match_defaults(*resources, arena);
  set_scopes(*resources, "resourceRules", arena);
  set_scopes(*resources, "excludeResourceRules", arena);
}

}  // namespace

void set_validating_webhook_defaults(const HookContext& context, Value& object) {
  for (Value& webhook : items_in(object, "webhooks")) set_webhook_defaults(webhook, context.arena);
}

void set_mutating_webhook_defaults(const HookContext& context, Value& object) {
  for (Value& webhook : items_in(object, "webhooks")) {
    set_webhook_defaults(webhook, context.arena);
    fill(webhook, "reinvocationPolicy", Value::string("Never"), context.arena);
  }
}

void set_admission_policy_defaults(const HookContext& context, Value& object) {
  Value& spec = spec_of(object, context.arena);
  fill(spec, "failurePolicy", Value::string("Fail"), context.arena);
  set_resource_defaults(spec, "matchConstraints", context.arena);
}

void set_admission_policy_binding_defaults(const HookContext& context, Value& object) {
  set_resource_defaults(spec_of(object, context.arena), "matchResources", context.arena);
}

}  // namespace tabernetes::registry::kinds
