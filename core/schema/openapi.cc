#include "schema/openapi.h"

#include <algorithm>
#include <utility>

#include "schema/openapi/json_text.h"
#include "schema/openapi/operations.h"
#include "schema/openapi/resource_paths.h"
#include "schema/openapi/schemas.h"

namespace tabernetes::schema {
namespace {

using openapi::JsonText;
using openapi::Media;
using openapi::Operation;
using openapi::Paths;

// A path that stands alone in its document and is about no kind.
struct FixedDocument {
  std::string_view key;
  std::string_view operation_id;
  std::string_view tag;
  Media answer;
  std::string_view answer_schema;  // empty: a string
};

constexpr FixedDocument kFixedDocuments[] = {
    {".well-known/openid-configuration", "getServiceAccountIssuerOpenIDConfiguration", "WellKnown",
     Media::kJson, ""},
    {"api", "getCoreAPIVersions", "core", Media::kPlainObject,
     "io.k8s.apimachinery.pkg.apis.meta.v1.APIVersions"},
    {"apis", "getAPIVersions", "apis", Media::kPlainObject,
     "io.k8s.apimachinery.pkg.apis.meta.v1.APIGroupList"},
    {"openid/v1/jwks", "getServiceAccountIssuerOpenIDKeyset", "openid", Media::kKeySet, ""},
    {"version", "getCodeVersion", "version", Media::kJson, "io.k8s.apimachinery.pkg.version.Info"},
};

// "apis/apps/v1", "api/v1"
std::string key_of(std::string_view group, std::string_view version) {
  return openapi::group_version_path(group, version).substr(1);
}

bool is_served(const Group& group) {
  return std::any_of(group.versions.begin(), group.versions.end(),
                     [](const ServedVersion& version) { return version.served_by_default; });
}

std::string write_document(const Catalogue& catalogue, std::string_view group,
                           std::string_view version, const Paths& paths, std::string_view tag,
                           bool cbor) {
  openapi::Schemas schemas(catalogue, group, version);
  JsonText out;
  out.open_object();
  out.member("openapi", "3.0.0");
  out.open_object("info");
  out.member("title", "Kubernetes");
  out.member("version", "1.36");
  out.close_object();
  out.key("paths");
  openapi::write_paths(paths, tag, cbor, schemas, out);
  out.open_object("components");
  out.key("schemas");
  schemas.write(out);
  out.raw_member("securitySchemes",
                 R"({"BearerToken":{"type":"apiKey","name":"authorization","in":"header"}})");
  out.close_object();
  out.close_object();
  return out.take();
}

// The operation that lists what is below a path.
Operation discovery_operation(std::string id, std::string_view schema) {
  Operation operation;
  operation.id = std::move(id);
  operation.answer_schema = schema;
  return operation;
}

std::string group_document(const Catalogue& catalogue, const Group& group, bool cbor) {
  const std::string_view name = openapi::short_group(group.name);
  Paths paths;
  paths["/apis/" + std::string(group.name) + "/"].push_back(
      discovery_operation("get" + openapi::operation_word(name, true) + "APIGroup",
                          "io.k8s.apimachinery.pkg.apis.meta.v1.APIGroup"));
  return write_document(catalogue, group.name, "", paths, openapi::operation_word(name, false),
                        cbor);
}

std::string version_document(const Catalogue& catalogue, const Group& group,
                             const ServedVersion& version, bool cbor) {
  const std::string_view name = openapi::short_group(group.name);
  Paths paths;
  paths[openapi::group_version_path(group.name, version.version) + "/"].push_back(
      discovery_operation("get" + openapi::operation_word(name, true) +
                              openapi::operation_word(version.version, true) + "APIResources",
                          "io.k8s.apimachinery.pkg.apis.meta.v1.APIResourceList"));
  for (const Resource* resource : version.resources) {
    if (resource->served_by_default) openapi::add_resource_paths(catalogue, *resource, paths);
  }
  const std::string tag =
      openapi::operation_word(name, false) + "_" + openapi::operation_word(version.version, false);
  return write_document(catalogue, group.name, version.version, paths, tag, cbor);
}

std::string fixed_document(const Catalogue& catalogue, const FixedDocument& document, bool cbor) {
  Operation operation =
      discovery_operation(std::string(document.operation_id), document.answer_schema);
  operation.answer = document.answer;
  Paths paths;
  paths["/" + std::string(document.key) + "/"].push_back(std::move(operation));
  return write_document(catalogue, "", "", paths, document.tag, cbor);
}

}  // namespace

std::vector<std::string> openapi_v3_keys(const Catalogue& catalogue) {
  std::vector<std::string> keys;
  for (const FixedDocument& document : kFixedDocuments) keys.emplace_back(document.key);
  for (const Group& group : catalogue.groups()) {
    if (!is_served(group)) continue;
    if (!group.name.empty()) keys.push_back("apis/" + std::string(group.name));
    for (const ServedVersion& version : group.versions) {
      if (version.served_by_default) keys.push_back(key_of(group.name, version.version));
    }
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

std::optional<std::string> openapi_v3_document(const Catalogue& catalogue, std::string_view key,
                                               const OpenApiOptions& options) {
  for (const FixedDocument& document : kFixedDocuments) {
    if (document.key == key) return fixed_document(catalogue, document, options.cbor);
  }
  for (const Group& group : catalogue.groups()) {
    if (!is_served(group)) continue;
    if (!group.name.empty() && key == "apis/" + std::string(group.name)) {
      return group_document(catalogue, group, options.cbor);
    }
    for (const ServedVersion& version : group.versions) {
      if (version.served_by_default && key == key_of(group.name, version.version)) {
        return version_document(catalogue, group, version, options.cbor);
      }
    }
  }
  return std::nullopt;
}

}  // namespace tabernetes::schema
