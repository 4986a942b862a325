// Expressions of mutating admission policies: they construct objects and patches.
//
//   Object{metadata: Object.metadata{labels: {"a": "b"}}}
//   [JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("x/y"), value: "z"}]
//
// Source: apiserver 1.36 pkg/cel/mutation; pkg/cel/library/jsonpatch.go.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "cel/compile.h"
#include "json/value.h"

namespace tabernetes::cel {

// Compiles `source` as compile() does, in the language of mutations.
tl::expected<Program, std::string> compile_mutation(std::string_view source,
                                                    std::span<const Variable> variables);

// Returns the value as JSON; a message becomes an object. Errors: a value that JSON does not have,
// or a message whose name is not that of its path: `type mismatch: unexpected type name ...`.
tl::expected<json::Value, std::string> to_json(const Value& value, json::Arena& arena);

}  // namespace tabernetes::cel
