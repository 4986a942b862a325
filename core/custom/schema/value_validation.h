// Values held to the schema of their custom resource: what is wrong with them, in the words and the
// order of kube-openapi, made field errors as apiextensions-apiserver does.
//
// Members are looked at in their order (upstream's order is that of Go's maps: any).
//
// Source: upstream 1.36 kube-openapi pkg/validation/validate, apiextensions-apiserver
// pkg/apiserver/validation, pkg/apiserver/schema/listtype; spec/crd-auth-admission.md 2.6 to 2.9.
#pragma once

#include "base/field_error.h"
#include "json/value.h"
#include "schema/structural.h"

namespace tabernetes::registry::custom {

struct ValueValidation {
  // What the value was before an update: errors of parts that stayed as they were are let pass
  // (ratcheting). Null: there was none, or nothing is let pass.
  const json::Value* old = nullptr;
  // The value is the default of a schema, of which less is asked: an int-or-string has no type.
  bool of_default = false;
};

// Checks `value` against limits, formats and junctors. Fields in errors begin with `path`; the
// texts do not, as upstream's: "status.num: Invalid value: 15: num in body should be ...".
void validate_value(const json::Value& value, const schema::Structural& schema,
                    const field::Path& path, field::ErrorList& errors,
                    const ValueValidation& options = {});

// Checks that lists of type set and map hold nothing twice. An update checks only if the old value
// had no such error.
void validate_lists(const json::Value& value, const schema::Structural& schema,
                    const field::Path& path, field::ErrorList& errors);

}  // namespace tabernetes::registry::custom
