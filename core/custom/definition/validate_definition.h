// What is wrong with CustomResourceDefinition objects.
//
// Paths are those of upstream's internal form: what all versions have alike (schema, subresources,
// columns, selectable fields) is said of "spec.validation", "spec.subresources" and so on, though
// v1 has no such fields.
//
// Source: upstream 1.36 apiextensions-apiserver pkg/apis/apiextensions/{v1/conversion.go,
// validation/validation.go}; spec/crd-auth-admission.md 1.3 to 1.7.
#pragma once

#include "rules/field.h"

namespace tabernetes::registry {

class Warnings;

namespace custom {

// Everything beside metadata, which is checked before as for every kind, but for its name.
// Of a new definition:
void validate_definition(const validation::Field& object);
void validate_definition_update(const validation::Field& object, const validation::Field& old);
void validate_definition_status(const validation::Field& object, const validation::Field& old);

// `unrecognized format "x"`; on an update of those that are new. `old` is null on create.
void definition_warnings(const validation::Field& object, const json::Value* old, Warnings& out);

}  // namespace custom
}  // namespace tabernetes::registry
