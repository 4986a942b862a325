// Values as Go prints the types in which the real server keeps its objects, for messages that show
// a whole struct. These internal types have the fields of v1 in nearly the same order, but no JSON
// names: every field is printed, by its name in Go, the unset ones as null or as their zero.
// Source: upstream 1.36 pkg/apis/*/types.go, compared with k8s.io/api field by field; recordings.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"
#include "rules/field.h"

namespace tabernetes::registry::validation {

// `type` is the v1 type without "io.k8s.api." ("core.v1.PodSpec"), or the whole name of another. A
// null `value` is an unset one.
json::Value internal_form(const json::Value* value, std::string_view type, json::Arena& arena);

// The same as compact JSON.
std::string printed_struct(const Field& field, std::string_view type);
// The same on many lines, indented by one space.
std::string indented_struct(const json::Value& value, std::string_view type);

}  // namespace tabernetes::registry::validation
