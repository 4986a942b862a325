// Prints values as Go prints the internal types of the real server, for messages with a whole
// struct. Internal types have nearly the fields and order of v1, but no JSON names: every field is
// printed by its Go name, unset ones as null or zero. Source: upstream 1.36 pkg/apis/*/types.go,
// compared with k8s.io/api field by field; recordings.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"
#include "rules/field.h"

namespace tabernetes::registry::validation {

// Returns the internal form of `value` (null: unset). `type` is the v1 type without "io.k8s.api."
// ("core.v1.PodSpec"), or the full name of another type.
json::Value internal_form(const json::Value* value, std::string_view type, json::Arena& arena);

// Returns it as compact JSON.
std::string print_internal(const Field& field, std::string_view type);
// Returns it as JSON on many lines, indented by one space.
std::string print_internal_indented(const json::Value& value, std::string_view type);

}  // namespace tabernetes::registry::validation
