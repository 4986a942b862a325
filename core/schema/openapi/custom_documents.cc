#include "schema/openapi/custom_documents.h"

#include <utility>

#include "schema/openapi/resource_paths.h"
#include "schema/openapi/write_paths.h"

namespace tabernetes::schema::openapi {
namespace {

struct Documented {
  Paths paths;
  std::string tag;
};

Documented documented(const Catalogue& catalogue, const CustomVersionDocument& document) {
  Documented out{
      {}, operation_word(document.group, false) + "_" + operation_word(document.version, false)};
  for (const Resource* resource : document.resources) {
    add_resource_paths(catalogue, *resource, out.paths);
  }
  // The deprecated watch paths are not published for custom resources.
  const std::string watches = group_version_path(document.group, document.version) + "/watch/";
  std::erase_if(out.paths, [&](const auto& path) { return path.first.starts_with(watches); });
  return out;
}

std::string without_braces(std::string_view object) {
  return std::string(object.substr(1, object.size() - 2));
}

}  // namespace

std::string custom_document_v3(const Catalogue& catalogue, const Descriptions& descriptions,
                               CustomVersionDocument&& document) {
  Documented all = documented(catalogue, document);
  Schemas schemas(catalogue, descriptions, Dialect::kV3, document.group, document.version);
  for (auto& [name, text] : document.schemas) schemas.add(name, std::move(text));
  JsonText out;
  out.open_object();
  out.member("openapi", "3.0.0");
  out.raw_member("info", R"({"title":"Kubernetes CRD Swagger","version":"v0.1.0"})");
  out.open_object("paths");
  for (auto& [path, operations] : all.paths) {
    out.key(path);
    write_path_v3(arrange(std::move(operations)),
                  {.descriptions = descriptions, .tag = all.tag, .custom = true}, schemas, out);
  }
  out.close_object();
  out.open_object("components");
  out.key("schemas");
  schemas.write(out);
  out.close_object();
  out.close_object();
  return out.take();
}

CustomPartsV2 custom_parts_v2(const Catalogue& catalogue, const Descriptions& descriptions,
                              CustomVersionDocument&& document) {
  Documented all = documented(catalogue, document);
  Schemas schemas(catalogue, descriptions, Dialect::kV2);
  SharedParameters shared;  // unused: the main document has them anyway
  JsonText paths;
  paths.open_object();
  for (auto& [path, operations] : all.paths) {
    paths.key(path);
    write_path_v2(arrange(std::move(operations)),
                  {.descriptions = descriptions, .tag = all.tag, .custom = true}, schemas, shared,
                  paths);
  }
  paths.close_object();
  JsonText definitions;
  definitions.open_object();
  for (const auto& [name, text] : document.schemas) definitions.raw_member(name, text);
  definitions.close_object();
  return {without_braces(paths.take()), without_braces(definitions.take())};
}

}  // namespace tabernetes::schema::openapi
