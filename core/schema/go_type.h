// Go's names for the types of the schema, as error messages use them.
#pragma once

#include <string>
#include <string_view>

#include "schema/schema.h"

namespace tabernetes::schema {

// Returns "v1.PodSpec".
std::string go_struct_name(const Type& type);

// Returns "[]v1.Container", "map[string]string", "int32". `go` is the field's declared Go type, if
// it has one.
std::string go_type_name(const TypeRef& type, std::string_view go);

// For a list or map type written as `go` ("[]v1.X", "map[v1.ResourceName]v1.X"), return the Go name
// of its elements, or of a map's keys; empty if `go` does not contain it.
std::string_view go_element_name(std::string_view go);
std::string_view go_key_name(std::string_view go);

}  // namespace tabernetes::schema
