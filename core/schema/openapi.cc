#include "schema/openapi.h"

#include <utility>

#include "schema/openapi/document_paths.h"
#include "schema/openapi/write_paths.h"

namespace tabernetes::schema {
namespace {

using openapi::Dialect;
using openapi::DocumentPaths;
using openapi::JsonText;
using openapi::Schemas;
using openapi::SharedParameters;

constexpr std::string_view kSecuritySchemes =
    R"({"BearerToken":{"type":"apiKey","description":"Bearer Token authentication",)"
    R"("name":"authorization","in":"header"}})";
// The same definitions with keys in v2's order.
constexpr std::string_view kSecurityDefinitions =
    R"({"BearerToken":{"description":"Bearer Token authentication","type":"apiKey",)"
    R"("name":"authorization","in":"header"}})";

void write_info(JsonText& out) {
  out.open_object("info");
  out.member("title", "Kubernetes");
  out.member("version", "1.36");
  out.close_object();
}

}  // namespace

std::vector<std::string> openapi_v3_keys(const Catalogue& catalogue) {
  return openapi::document_keys(catalogue);
}

std::optional<std::string> openapi_v3_document(const Catalogue& catalogue, std::string_view key,
                                               const OpenApiOptions& options,
                                               const openapi::Descriptions& descriptions) {
  std::optional<DocumentPaths> document = openapi::document_paths(catalogue, key);
  if (!document) return std::nullopt;
  Schemas schemas(catalogue, descriptions, Dialect::kV3, document->group, document->version,
                  options.enums);
  JsonText out;
  out.open_object();
  out.member("openapi", "3.0.0");
  write_info(out);
  out.open_object("paths");
  for (auto& [path, operations] : document->paths) {
    out.key(path);
    openapi::write_path_v3(
        openapi::arrange(std::move(operations)),
        {.descriptions = descriptions, .tag = document->tag, .cbor = options.cbor}, schemas, out);
  }
  out.close_object();
  out.open_object("components");
  if (!schemas.empty()) {
    out.key("schemas");
    schemas.write(out);
  }
  out.raw_member("securitySchemes", kSecuritySchemes);
  out.close_object();
  out.close_object();
  return out.take();
}

std::string openapi_v2_document(const Catalogue& catalogue, const OpenApiOptions& options,
                                const openapi::Descriptions& descriptions) {
  Schemas schemas(catalogue, descriptions, Dialect::kV2, {}, {}, options.enums);
  SharedParameters shared;
  JsonText out;
  out.open_object();
  out.member("swagger", "2.0");
  write_info(out);
  out.open_object("paths");
  for (const std::string& key : openapi::document_keys(catalogue)) {
    std::optional<DocumentPaths> document = openapi::document_paths(catalogue, key);
    if (!document) continue;
    for (auto& [path, operations] : document->paths) {
      out.key(path);
      openapi::write_path_v2(
          openapi::arrange(std::move(operations)),
          {.descriptions = descriptions, .tag = document->tag, .cbor = options.cbor}, schemas,
          shared, out);
    }
  }
  out.close_object();
  JsonText parameters;
  openapi::write_shared_parameters(shared, descriptions, schemas, parameters);
  out.key("definitions");
  schemas.write(out);
  out.raw_member("parameters", parameters.take());
  out.raw_member("securityDefinitions", kSecurityDefinitions);
  out.raw_member("security", R"([{"BearerToken":[]}])");
  out.close_object();
  return out.take();
}

}  // namespace tabernetes::schema
