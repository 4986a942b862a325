// Checks of the openAPIV3Schema of a definition.
//
// Three sets of checks, as upstream: the schema is structural; its defaults satisfy it; and each
// keyword is allowed and consistent. Source: upstream 1.36 apiextensions-apiserver
// pkg/apiserver/schema/{validation,complete}.go, .../defaulting/validation.go,
// pkg/apis/apiextensions/validation/validation.go; spec/crd-auth-admission.md 1.7.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/field.h"
#include "schema/structural.h"

namespace tabernetes::registry::custom {

// A node with x-kubernetes-validations, if there are no errors in it and below it.
struct CelRuleNode {
  field::Path path;                     // of the node
  const json::Value* schema = nullptr;  // the node
  bool whole = false;                   // the root, or an embedded resource
  // The maximum number of values of the node in an object; nullopt: unlimited.
  std::optional<std::uint64_t> most;
  // The path of the ancestor that prevents finding old values: "spec.validation...properties[l]";
  // empty if they can be found.
  std::string uncorrelatable;
};

// Checks `schema`, the place of a decoded schema. Returns the nodes whose rules must be compiled;
// none if the schema is not structural or a default is invalid.
std::vector<CelRuleNode> check_schema(const validation::Field& schema, bool status_enabled);

// Checks that the schema is structural; reports errors sorted by text.
void check_structural(const validation::Field& schema);

// Checks the defaults.
void check_defaults(const validation::Field& schema, const schema::Structural& compiled);

// Returns true for members of every object: kind, apiVersion, metadata.
bool is_meta_field(std::string_view name);

}  // namespace tabernetes::registry::custom
