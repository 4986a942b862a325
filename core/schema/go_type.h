// The names that Go has for the types of the schema, which error texts are full of.
#pragma once

#include <string>
#include <string_view>

#include "schema/schema.h"

namespace tabernetes::schema {

// "v1.PodSpec"
std::string go_struct_name(const Type& type);

// "[]v1.Container", "map[string]string", "int32". `go` is the field's own name for it, if it has
// one.
std::string go_type_name(const TypeRef& type, std::string_view go);

// Of a list or map type written `go` ("[]v1.X", "map[v1.ResourceName]v1.X"): the name of its
// elements, empty if the text does not say; and of a map's keys.
std::string_view go_element_name(std::string_view go);
std::string_view go_key_name(std::string_view go);

}  // namespace tabernetes::schema
