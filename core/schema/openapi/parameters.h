// The parameters of operations: what each verb reads from the query, and the names in the path.
// Source: spec/rest.md 9.2, and the documents of a real server.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/openapi/descriptions.h"
#include "schema/schema.h"

namespace tabernetes::schema::openapi {

struct Parameter {
  std::string_view name;
  std::string_view in;    // "query", "path", "body"
  std::string_view type;  // "string", "integer", "boolean"; of a body, the name of a type
  // OpenAPI v2 writes it once and refers to it by NAME-SUFFIX; empty: it is written everywhere.
  std::string_view suffix;
  bool required = false;
  std::string_view kind = {};  // whose name it is; empty: it is no name
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

// `kind`: what the path is about.
Parameter path_parameter(std::string_view name, std::string_view kind);
Parameter pretty_parameter();
Parameter body_parameter(std::string_view type_name, bool required);

// The key under which v2's document has it once, NAME-SUFFIX, or its name.
std::string shared_name(const Parameter& parameter);
// What is said of it; empty if nothing is.
std::string description_of(const Parameter& parameter, const Descriptions& descriptions);

void sort_by_name(Parameters& parameters);

}  // namespace tabernetes::schema::openapi
