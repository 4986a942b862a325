// Hooks of CustomResourceDefinition. Source: upstream 1.36 apiextensions-apiserver
// pkg/registry/customresourcedefinition, pkg/apis/apiextensions/v1/defaults.go;
// spec/crd-auth-admission.md 1.2, 1.3, 1.9.
#pragma once

#include "registry/kind/strategy.h"

namespace tabernetes::registry::kinds {

inline constexpr std::string_view kCleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

void set_definition_defaults(const HookContext&, json::Value& object);
void prepare_definition_for_create(const HookContext&, json::Value& object);
void prepare_definition_for_update(const HookContext&, json::Value& object, const json::Value& old);
bool definition_holds_deletion(const json::Value& object);
void start_definition_deletion(const HookContext&, json::Value& object, bool already);

}  // namespace tabernetes::registry::kinds
