// The unaggregated discovery documents: groups, versions and resources. Every string is a view of
// the catalogue or of `arena`. Source: spec/rest.md 2.1, 2.2.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "schema/schema.h"

namespace tabernetes::server {

using Groups = std::vector<const schema::Group*>;  // in discovery order

// Returns GET /api: APIVersions. `server_address` is our address as the client sees it
// ("127.0.0.1:8001").
json::Value api_versions(std::string_view server_address, json::Arena& arena);

// Returns GET /apis: APIGroupList.
json::Value api_group_list(const Groups& groups, json::Arena& arena);

// Returns GET /apis/GROUP: APIGroup; nullopt if no version of the group is served.
std::optional<json::Value> api_group(const Groups& groups, std::string_view group,
                                     json::Arena& arena);

// Returns GET /api/v1 (group "") or /apis/GROUP/VERSION: APIResourceList, with or without
// storageVersionHash; nullopt if it is not served.
std::optional<json::Value> api_resource_list(const Groups& groups, std::string_view group,
                                             std::string_view version, bool with_hashes,
                                             json::Arena& arena);

// Returns the served versions of a group, in order of preference.
std::vector<const schema::ServedVersion*> served_versions(const schema::Group& group);

// Returns the served resources of a version, by plural.
std::vector<const schema::Resource*> served_resources(const schema::ServedVersion& version);

// Returns true if discovery includes the subresource's group and version: they differ from its
// parent's.
bool has_foreign_kind(const schema::Resource& parent, const schema::Subresource& subresource);

}  // namespace tabernetes::server
