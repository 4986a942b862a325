// What Go's converter from maps to structs (runtime.DefaultUnstructuredConverter) says of a tree
// that does not fit its kind: the words of strategic merge patches, which do not go through JSON.
// Source: spec/patch-apply.md 2.4.
#pragma once

#include <string>

#include "json/value.h"
#include "schema/schema.h"

namespace tabernetes::schema {

// "cannot restore slice from map"; empty if it fits, as far as this converter looks: types that
// read themselves (quantities, times ...) speak as in decode_typed(). Numbers become what Go makes
// of them, in place: a whole float an integer, an integer that is too large what is left of it.
std::string convert_unstructured(const Type& type, const json::Value& object);

}  // namespace tabernetes::schema
