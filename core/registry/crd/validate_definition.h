// CustomResourceDefinition objects: what is filled in, and what is wrong with them.
//
// Paths are those of upstream's internal form: what all versions have alike (schema, subresources,
// columns, selectable fields) is said of "spec.validation", "spec.subresources" and so on, though
// v1 has no such fields.
//
// Source: upstream 1.36 apiextensions-apiserver pkg/apis/apiextensions/{v1/defaults.go,
// v1/conversion.go,validation/validation.go}; spec/crd-auth-admission.md 1.2 to 1.7.
#pragma once

#include <string>
#include <vector>

#include "registry/validation/field.h"

namespace tabernetes::registry::crd {

// names.singular, names.listKind, conversion, its service's port, status.storedVersions.
void default_definition(json::Value& definition, json::Arena& arena);

// Everything beside metadata, which is checked before as for every kind, but for its name.
// Of a new definition:
void validate_definition(const validation::Field& object);
void validate_definition_update(const validation::Field& object, const validation::Field& old);
void validate_definition_status(const validation::Field& object, const validation::Field& old);

// `unrecognized format "x"` and the like, in upstream's order. `old` is null on create.
void definition_warnings(const json::Value& object, const json::Value* old,
                         std::vector<std::string>& warnings);

}  // namespace tabernetes::registry::crd
