// Checks a tree against a built-in type with the messages of Go's converter from maps to structs
// (runtime.DefaultUnstructuredConverter), which strategic merge patches use instead of JSON.
// Source: spec/patch-apply.md 2.4.
#pragma once

#include <string>

#include "json/value.h"
#include "schema/schema.h"

namespace tabernetes::schema {

// Returns an error such as "cannot restore slice from map", or an empty text as far as this
// converter checks: types that parse themselves (quantities, times ...) fail in decode_typed().
// Converts numbers in place as Go does: a whole float becomes an integer, an integer that is too
// large is truncated.
std::string convert_unstructured(const Type& type, const json::Value& object);

// Returns the converter's form of an error of decode_typed().
std::string as_converter_error(std::string error);

}  // namespace tabernetes::schema
