// The parameters of operations: query parameters by verb, and the names in the path. Source:
// spec/rest.md 9.2, and the documents of a real server.
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
  std::string_view type;  // "string", "integer", "boolean"; for a body, the name of a type
  // OpenAPI v2 writes the parameter once and refers to it by NAME-SUFFIX; if empty, it is repeated
  // everywhere.
  std::string_view suffix;
  bool required = false;
  std::string_view kind = {};  // the kind that a name in the path belongs to; otherwise empty
  friend bool operator==(const Parameter&, const Parameter&) = default;
};
using Parameters = std::vector<Parameter>;

// These return the parameters without `pretty`, which every verb but connect accepts.
Parameters list_parameters();
Parameters write_parameters();  // create and update
Parameters patch_parameters();
Parameters delete_parameters();
Parameters delete_collection_parameters();
// Returns every scalar field of an options type such as PodExecOptions.
Parameters option_parameters(const Type& options);

// `kind` is the kind that the path addresses.
Parameter path_parameter(std::string_view name, std::string_view kind);
Parameter pretty_parameter();
Parameter body_parameter(std::string_view type_name, bool required);

// Returns its key in v2's document, NAME-SUFFIX, or its name.
std::string shared_name(const Parameter& parameter);
// Returns its description, or an empty text.
std::string description_of(const Parameter& parameter, const Descriptions& descriptions);

void sort_by_name(Parameters& parameters);

}  // namespace tabernetes::schema::openapi
