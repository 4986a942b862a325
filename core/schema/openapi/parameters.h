// The parameters of operations: what each verb reads from the query, and the names in the path.
// Source: spec/rest.md 9.2, and the documents of a real server.
#pragma once

#include <string_view>
#include <vector>

#include "schema/schema.h"

namespace tabernetes::schema::openapi {

struct Parameter {
  std::string_view name;
  std::string_view in;    // "query", "path", "body"
  std::string_view type;  // "string", "integer", "boolean"; of a body, the name of a type
  // OpenAPI v2 writes it once and refers to it by NAME-SUFFIX; empty: it is written everywhere.
  std::string_view suffix;
  bool required = false;
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
Parameter body_parameter(std::string_view type_name, bool required);

void sort_by_name(Parameters& parameters);

}  // namespace tabernetes::schema::openapi
