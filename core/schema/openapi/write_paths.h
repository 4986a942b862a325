// Writes path items as text, in either version of OpenAPI.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "schema/openapi/json_text.h"
#include "schema/openapi/operations.h"
#include "schema/openapi/schemas.h"

namespace tabernetes::schema::openapi {

struct PathOptions {
  const Descriptions& descriptions;
  std::string_view tag;  // tag of all operations
  bool cbor = false;     // names the CBOR media types
  bool custom = false;   // custom resources, which are never protobuf
};

// Writes {"get":{...},...,"parameters":[...]} and records the types it refers to in `schemas`.
void write_path_v3(const PathItem& item, const PathOptions& options, Schemas& schemas,
                   JsonText& out);

// The parameters that v2 items refer to by name and that the document defines once.
using SharedParameters = std::map<std::string, Parameter>;

// Writes the item for v2; adds the parameters it refers to to `shared`.
void write_path_v2(const PathItem& item, const PathOptions& options, Schemas& schemas,
                   SharedParameters& shared, JsonText& out);
void write_shared_parameters(const SharedParameters& shared, const Descriptions& descriptions,
                             Schemas& schemas, JsonText& out);

}  // namespace tabernetes::schema::openapi
