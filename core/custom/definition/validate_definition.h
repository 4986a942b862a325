// Checks of CustomResourceDefinition objects.
//
// Paths are those of upstream's internal form: members that all versions share (schema,
// subresources, columns, selectable fields) are reported at "spec.validation", "spec.subresources"
// and so on, although v1 has no such fields.
//
// Source: upstream 1.36 apiextensions-apiserver pkg/apis/apiextensions/{v1/conversion.go,
// validation/validation.go}; spec/crd-auth-admission.md 1.3 to 1.7.
#pragma once

#include "rules/field.h"

namespace tabernetes::registry {

class Warnings;

namespace custom {

// Check a definition apart from its metadata, which is checked before as for every kind;
// metadata.name is checked here too.
void validate_definition(const validation::Field& object);
void validate_definition_update(const validation::Field& object, const validation::Field& old);
void validate_definition_status(const validation::Field& object, const validation::Field& old);

// Adds `unrecognized format "x"`; on update only for new ones. `old` is null on create.
void definition_warnings(const validation::Field& object, const json::Value* old, Warnings& out);

}  // namespace custom
}  // namespace tabernetes::registry
