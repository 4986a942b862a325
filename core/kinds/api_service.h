// Hooks of APIService. Source: upstream 1.36 kube-aggregator pkg/registry/apiservice.
#pragma once

#include "registry/kind/strategy.h"

namespace tabernetes::registry::kinds {

// Sets the Available condition of a local APIService.
void prepare_api_service_for_create(const HookContext&, json::Value& object);

}  // namespace tabernetes::registry::kinds
