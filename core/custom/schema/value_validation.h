// Validation of values by the schema of their custom resource: errors have kube-openapi's texts and
// order, and are converted to field errors as in apiextensions-apiserver.
//
// Members are visited in their order (upstream: in the random order of Go's maps).
//
// Source: upstream 1.36 kube-openapi pkg/validation/validate, apiextensions-apiserver
// pkg/apiserver/validation, pkg/apiserver/schema/listtype; spec/crd-auth-admission.md 2.6 to 2.9.
#pragma once

#include "base/api/field_error.h"
#include "json/value.h"
#include "schema/structural.h"

namespace tabernetes::registry::custom {

struct ValueValidation {
  // The value before an update: errors of unchanged parts are tolerated (ratcheting). Null: nothing
  // is tolerated.
  const json::Value* old = nullptr;
  // The value is the default of a schema, which is checked less strictly: an int-or-string has no
  // type.
  bool of_default = false;
};

// Checks types, limits, formats, allOf, anyOf, oneOf and not. Fields of errors begin with `path`;
// their texts do not, as in upstream: "status.num: Invalid value: 15: num in body should be ...".
void validate_value(const json::Value& value, const schema::Structural& schema,
                    const field::Path& path, field::ErrorList& errors,
                    const ValueValidation& options = {});

// Checks that lists of type set and map have no duplicates. An update is checked only if the old
// value had none.
void validate_lists(const json::Value& value, const schema::Structural& schema,
                    const field::Path& path, field::ErrorList& errors);

}  // namespace tabernetes::registry::custom
