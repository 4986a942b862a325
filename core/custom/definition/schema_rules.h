// What is wrong with the openAPIV3Schema of a definition.
//
// Three sets of rules, as upstream has them: the schema is structural; its defaults are what it
// asks of values; and single keywords are allowed and fit together. Source: upstream 1.36
// apiextensions-apiserver pkg/apiserver/schema/{validation,complete}.go,
// .../defaulting/validation.go, pkg/apis/apiextensions/validation/validation.go;
// spec/crd-auth-admission.md 1.7.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/field.h"
#include "schema/structural.h"

namespace tabernetes::registry::custom {

// A node that has x-kubernetes-validations, in a schema without errors there and below.
struct RuleSite {
  field::Path path;                     // of the node
  const json::Value* schema = nullptr;  // the node
  bool whole = false;                   // the root, or an embedded resource
  // How often it stands in an object at most; nothing: no limit.
  std::optional<std::uint64_t> most;
  // Under what an old value cannot be told: "spec.validation...properties[l]"; empty: it can.
  std::string uncorrelatable;
};

// Reports what is wrong with `schema`, a place with a schema in its typed form. Returns the nodes
// whose rules are to be compiled; none if the schema is not structural or a default is wrong.
std::vector<RuleSite> check_schema(const validation::Field& schema, bool status_enabled);

// Reports what is wrong with the structure, sorted by text.
void check_structural(const validation::Field& schema);

// Reports what is wrong with defaults.
void check_defaults(const validation::Field& schema, const schema::Structural& compiled);

// Returns whether it is a member of every object: kind, apiVersion, metadata.
bool is_meta_field(std::string_view name);

}  // namespace tabernetes::registry::custom
