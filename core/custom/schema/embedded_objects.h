// Embedded objects (x-kubernetes-embedded-resource), which have metadata like every object. Source:
// upstream 1.36 apiextensions-apiserver pkg/apiserver/schema/objectmeta/validation.go.
#pragma once

#include "base/api/field_error.h"
#include "json/value.h"
#include "schema/structural.h"

namespace tabernetes::registry::custom {

// Checks apiVersion, kind and metadata of embedded objects, and of the value itself if it is whole.
void validate_embedded(const json::Value& value, const schema::Structural& schema,
                       schema::Whole whole, const field::Path& path, field::ErrorList& errors);

}  // namespace tabernetes::registry::custom
