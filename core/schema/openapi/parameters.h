// The parameters of operations: what each verb reads from the query, and the names in the path.
// Source: spec/rest.md 9.2, and the documents of a real server.
#pragma once

#include <string_view>
#include <vector>

#include "schema/openapi/json_text.h"
#include "schema/schema.h"

namespace tabernetes::schema::openapi {

struct Parameter {
  std::string_view name;
  std::string_view in;    // "query" or "path"
  std::string_view type;  // "string", "integer", "boolean"
  friend bool operator==(const Parameter&, const Parameter&) = default;
};
using Parameters = std::vector<Parameter>;

// Without `pretty`, which every verb but connect reads.
Parameters list_parameters();
Parameters write_parameters();  // create and update
Parameters patch_parameters();
Parameters delete_parameters();
Parameters delete_collection_parameters();
// Every scalar field of an options type such as PodExecOptions.
Parameters option_parameters(const Type& options);

Parameter path_parameter(std::string_view name);
Parameter pretty_parameter();

void sort_by_name(Parameters& parameters);

// Writes "parameters":[...]; nothing if there are none.
void write_parameters_member(const Parameters& parameters, JsonText& out);

}  // namespace tabernetes::schema::openapi
