// Which of the names that a definition of custom resources wants it may have.
// Source: upstream 1.36 apiextensions-apiserver pkg/controller/status/naming_controller.go.
#pragma once

#include <string>

#include "json/value.h"
#include "registry/registry.h"

namespace tabernetes::controllers {

struct AcceptedNames {
  json::Value names;  // status.acceptedNames
  // Of the condition NamesAccepted; no reason: there is no conflict.
  std::string reason, message;
};

// `all`: every kind that is defined.
AcceptedNames accept_names(const json::Value& definition,
                           const registry::ResourceTable::CustomKinds& all, json::Arena& arena);

}  // namespace tabernetes::controllers
