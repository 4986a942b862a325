// What webhooks and admission policies have when the client does not say.
// Source: spec/defaults-validation.md 8.
#pragma once

#include "registry/strategy.h"

namespace tabernetes::registry::kinds {

void set_validating_webhook_defaults(const HookContext& context, json::Value& object);
void set_mutating_webhook_defaults(const HookContext& context, json::Value& object);
void set_admission_policy_defaults(const HookContext& context, json::Value& object);
void set_admission_policy_binding_defaults(const HookContext& context, json::Value& object);

}  // namespace tabernetes::registry::kinds
