// The plain discovery documents: which groups, versions and resources the server has.
// Every string is a view of the catalogue or of `arena`. Source: spec/rest.md 2.1, 2.2.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "schema/schema.h"

namespace tabernetes::server {

using Groups = std::vector<const schema::Group*>;  // in the order of discovery

// GET /api: APIVersions. `server_address` is where the caller reaches us ("127.0.0.1:8001").
json::Value api_versions(std::string_view server_address, json::Arena& arena);

// GET /apis: APIGroupList.
json::Value api_group_list(const Groups& groups, json::Arena& arena);

// GET /apis/GROUP: APIGroup; nothing if no version of the group is served.
std::optional<json::Value> api_group(const Groups& groups, std::string_view group,
                                     json::Arena& arena);

// GET /api/v1 (group "") and /apis/GROUP/VERSION: APIResourceList; nothing if it is not served.
std::optional<json::Value> api_resource_list(const Groups& groups, std::string_view group,
                                             std::string_view version, json::Arena& arena);

// The versions of a group that are served, in order of preference.
std::vector<const schema::ServedVersion*> served_versions(const schema::Group& group);

// The resources of a version that are served, by plural.
std::vector<const schema::Resource*> served_resources(const schema::ServedVersion& version);

// True if discovery writes the subresource's group and version: they are not its parent's.
bool has_foreign_kind(const schema::Resource& parent, const schema::Subresource& subresource);

}  // namespace tabernetes::server
