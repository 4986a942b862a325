// Decides which of the names that a CustomResourceDefinition requests are accepted. Source:
// upstream 1.36 apiextensions-apiserver pkg/controller/status/naming_controller.go.
#pragma once

#include <string>

#include "json/value.h"
#include "registry/life/registry.h"

namespace tabernetes::controllers {

struct AcceptedNames {
  json::Value names;  // status.acceptedNames
  // For the condition NamesAccepted; the reason is empty if there is no conflict.
  std::string reason, message;
};

// `all` are all defined kinds.
AcceptedNames accept_names(const json::Value& definition,
                           const registry::ResourceTable::DynamicKinds& all, json::Arena& arena);

}  // namespace tabernetes::controllers
