// The paths of a resource and their operations. Source: spec/rest.md 1.4, 3.3.
#pragma once

#include "schema/openapi/operations.h"

namespace tabernetes::schema::openapi {

// Returns "/api/v1" or "/apis/GROUP/VERSION".
std::string group_version_path(std::string_view group, std::string_view version);

// Returns the group as tags and operation ids name it: "core", "rbac.authorization".
std::string_view short_group(std::string_view group);

// Adds the collection, item, watch and subresource paths of `resource`.
void add_resource_paths(const Catalogue& catalogue, const Resource& resource, Paths& paths);

}  // namespace tabernetes::schema::openapi
