// Go's names for the types of the schema, as error messages use them.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"
#include "schema/schema.h"

namespace tabernetes::schema {

// Returns "v1.PodSpec".
std::string go_struct_name(const Type& type);

// Returns "string", "bool", "int32", "int64" or "float64"; empty for other types.
std::string_view go_scalar_name(FieldType type);

// Returns Go's zero value of a type, as JSON: null for pointers, lists and maps.
json::Value go_zero_value(FieldType type);

// Returns "[]v1.Container", "map[string]string", "int32". `go` is the field's declared Go type, if
// it has one.
std::string go_type_name(const TypeRef& type, std::string_view go);

// For a list or map type written as `go` ("[]v1.X", "map[v1.ResourceName]v1.X"), return the Go name
// of its elements, or of a map's keys; empty if `go` does not contain it.
std::string_view go_element_name(std::string_view go);
std::string_view go_key_name(std::string_view go);

}  // namespace tabernetes::schema
