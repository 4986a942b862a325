// OpenAPI documents of custom resources: paths as for every resource, schemas from their
// definitions. Source: upstream 1.36 apiextensions-apiserver pkg/controller/openapi.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "schema/openapi/descriptions.h"
#include "schema/schema.h"

namespace tabernetes::schema::openapi {

// A group version of custom resources.
struct CustomVersionDocument {
  std::string_view group, version;
  std::vector<const Resource*> resources;  // with list_type
  // The JSON texts of the schemas of their types and lists, by type name.
  std::map<std::string_view, std::string> schemas;
};

std::string custom_document_v3(const Catalogue& catalogue, const Descriptions& descriptions,
                               CustomVersionDocument&& document);

// Its parts of v2's single document: members of `paths` and `definitions`, without braces.
struct CustomPartsV2 {
  std::string paths, definitions;
};
CustomPartsV2 custom_parts_v2(const Catalogue& catalogue, const Descriptions& descriptions,
                              CustomVersionDocument&& document);

}  // namespace tabernetes::schema::openapi
