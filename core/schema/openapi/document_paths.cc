#include "schema/openapi/document_paths.h"

#include <algorithm>
#include <utility>

#include "base/algorithm/sort.h"
#include "schema/openapi/resource_paths.h"

namespace tabernetes::schema::openapi {
namespace {

// A path that has a document of its own and belongs to no kind.
struct FixedDocument {
  std::string_view key;
  std::string_view operation_id, description;
  std::string_view tag;
  Media consumes;
  Media answer;
  std::string_view answer_schema;  // empty: a string
};

constexpr FixedDocument kFixedDocuments[] = {
    {".well-known/openid-configuration", "getServiceAccountIssuerOpenIDConfiguration",
     "get service account issuer OpenID configuration, also known as the 'OIDC discovery doc'",
     "WellKnown", Media::kNone, Media::kJson, ""},
    {"api", "getCoreAPIVersions", "get available API versions", "core", Media::kPlainObject,
     Media::kPlainObject, "io.k8s.apimachinery.pkg.apis.meta.v1.APIVersions"},
    {"apis", "getAPIVersions", "get available API versions", "apis", Media::kPlainObject,
     Media::kPlainObject, "io.k8s.apimachinery.pkg.apis.meta.v1.APIGroupList"},
    {"openid/v1/jwks", "getServiceAccountIssuerOpenIDKeyset",
     "get service account issuer OpenID JSON Web Key Set (contains public token verification keys)",
     "openid", Media::kNone, Media::kKeySet, ""},
    {"version", "getCodeVersion", "get the version information for this server", "version",
     Media::kJson, Media::kJson, "io.k8s.apimachinery.pkg.version.Info"},
};

// Returns "apis/apps/v1" or "api/v1".
std::string key_of(std::string_view group, std::string_view version) {
  return group_version_path(group, version).substr(1);
}

bool is_served(const Group& group) {
  return std::any_of(group.versions.begin(), group.versions.end(),
                     [](const ServedVersion& version) { return version.served_by_default; });
}

// Returns a discovery operation, which lists what is available at or below a path.
Operation discovery_operation(std::string id, std::string_view description, Media media,
                              std::string_view schema) {
  Operation operation;
  operation.id = std::move(id);
  operation.description = description;
  operation.consumes = media;
  operation.answer = media;
  operation.answer_schema = schema;
  return operation;
}

DocumentPaths fixed_paths(const FixedDocument& document) {
  Operation operation =
      discovery_operation(std::string(document.operation_id), document.description, document.answer,
                          document.answer_schema);
  operation.consumes = document.consumes;
  DocumentPaths out{.paths = {}, .tag = std::string(document.tag), .group = {}, .version = {}};
  out.paths["/" + std::string(document.key) + "/"].push_back(std::move(operation));
  return out;
}

DocumentPaths group_paths(const Group& group) {
  const std::string_view name = short_group(group.name);
  DocumentPaths out{
      .paths = {}, .tag = operation_word(name, false), .group = group.name, .version = {}};
  out.paths["/apis/" + std::string(group.name) + "/"].push_back(discovery_operation(
      "get" + operation_word(name, true) + "APIGroup", "get information of a group",
      Media::kPlainObject, "io.k8s.apimachinery.pkg.apis.meta.v1.APIGroup"));
  return out;
}

DocumentPaths version_paths(const Catalogue& catalogue, const Group& group,
                            const ServedVersion& version) {
  const std::string_view name = short_group(group.name);
  DocumentPaths out{
      .paths = {},
      .tag = operation_word(name, false) + "_" + operation_word(version.version, false),
      .group = group.name,
      .version = version.version};
  out.paths[group_version_path(group.name, version.version) + "/"].push_back(discovery_operation(
      "get" + operation_word(name, true) + operation_word(version.version, true) + "APIResources",
      "get available resources", Media::kObject,
      "io.k8s.apimachinery.pkg.apis.meta.v1.APIResourceList"));
  for (const Resource* resource : version.resources) {
    if (resource->served_by_default) add_resource_paths(catalogue, *resource, out.paths);
  }
  return out;
}

}  // namespace

std::vector<std::string> document_keys(const Catalogue& catalogue) {
  std::vector<std::string> keys;
  for (const FixedDocument& document : kFixedDocuments) keys.emplace_back(document.key);
  for (const Group& group : catalogue.groups()) {
    if (!is_served(group)) continue;
    if (!group.name.empty()) keys.push_back("apis/" + std::string(group.name));
    for (const ServedVersion& version : group.versions) {
      if (version.served_by_default) keys.push_back(key_of(group.name, version.version));
    }
  }
  sort_stable(keys);
  return keys;
}

std::optional<DocumentPaths> document_paths(const Catalogue& catalogue, std::string_view key) {
  for (const FixedDocument& document : kFixedDocuments) {
    if (document.key == key) return fixed_paths(document);
  }
  for (const Group& group : catalogue.groups()) {
    if (!is_served(group)) continue;
    if (!group.name.empty() && key == "apis/" + std::string(group.name)) return group_paths(group);
    for (const ServedVersion& version : group.versions) {
      if (version.served_by_default && key == key_of(group.name, version.version)) {
        return version_paths(catalogue, group, version);
      }
    }
  }
  return std::nullopt;
}

}  // namespace tabernetes::schema::openapi
