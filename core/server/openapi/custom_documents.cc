#include "server/openapi/custom_documents.h"

#include <deque>
#include <utility>

#include "custom/objects/custom_kind.h"
#include "custom/schema/published_schema.h"
#include "json/access.h"
#include "registry/objects/object_record.h"
#include "schema/openapi/custom_documents.h"

namespace tabernetes::server {
namespace {

using registry::custom::CustomKind;
using registry::custom::CustomVersion;
using schema::openapi::Dialect;

// Returns "com.example.x": the group with its labels reversed.
std::string reversed(std::string_view group) {
  std::string out;
  while (true) {
    const std::size_t dot = group.rfind('.');
    if (!out.empty()) out += '.';
    out += group.substr(dot == std::string_view::npos ? 0 : dot + 1);
    if (dot == std::string_view::npos) return out;
    group = group.substr(0, dot);
  }
}

const json::Value* schema_of(const json::Value& definition, std::string_view version) {
  for (const json::Value& each : items_at(definition, {"spec", "versions"})) {
    if (each.string_at("name") == version) return each.at({"schema", "openAPIV3Schema"});
  }
  return nullptr;
}

std::shared_ptr<const CustomKind> custom_kind_of(
    const std::shared_ptr<const registry::DynamicKind>& kind) {
  return {kind, &registry::custom::custom_kind(*kind)};
}

// The types of a document, and storage for their names.
struct Types {
  std::deque<std::string> names;
  std::deque<schema::Type> types;
  std::deque<schema::Resource> resources;

  const schema::Type* add(const std::string& name) {
    schema::Type& type = types.emplace_back();
    type.name = names.emplace_back(name);
    type.open = true;
    return &type;
  }
};

}  // namespace

CustomDocuments::CustomDocuments(const registry::ResourceTable& table,
                                 const store::Tree& definitions)
    : definitions_(*table.find("apiextensions.k8s.io", "v1", "customresourcedefinitions")) {
  for (const auto& defined : table.defined()) {
    const std::shared_ptr<const CustomKind> kind = custom_kind_of(defined);
    const store::RecordPtr record = definitions.find(definitions_.key({}, kind->name()));
    if (!kind->established() || kind->terminating() || !record) continue;
    for (const CustomVersion& version : kind->versions()) {
      if (version.type.served)
        by_key_["apis/" + version.type.api_version].push_back({kind, record});
    }
  }
}

std::vector<std::string> CustomDocuments::keys() const {
  std::vector<std::string> keys;
  for (const auto& [key, kinds] : by_key_) keys.push_back(key);
  return keys;
}

// Returns a v3 document or, for v2, the members of `paths`; appends to `definitions`.
std::string CustomDocuments::made(std::string_view key, Dialect dialect, const Descriptions& texts,
                                  std::string* definitions) const {
  Types types;
  schema::openapi::CustomVersionDocument document;
  for (const Kind& kind : by_key_.find(key)->second) {
    const CustomVersion& version = *kind.kind->find_version(key.substr(5));
    const schema::Resource& resource = version.resource;
    document.group = resource.group;
    document.version = resource.version;
    const std::string name = reversed(resource.group) + "." + std::string(resource.version) + "." +
                             std::string(resource.kind);
    schema::Resource& shown = types.resources.emplace_back(resource);
    shown.type = types.add(name);
    shown.list_type = types.add(name.substr(0, name.size() - resource.kind.size()) +
                                std::string(resource.list_kind));
    for (schema::Subresource& part : shown.subresources) {
      if (part.kind == resource.kind) part.type = shown.type;
    }
    document.resources.push_back(&shown);
    json::Arena arena;
    const json::Value definition = registry::read_object(definitions_, *kind.definition, arena);
    const registry::custom::PublishedKind published{resource.group, resource.version, resource.kind,
                                                    resource.plural, resource.list_kind};
    const json::Value* open_api = schema_of(definition, resource.version);
    document.schemas[shown.type->name] = registry::custom::published_schema(
        published, open_api == nullptr ? json::Value() : *open_api, dialect);
    document.schemas[shown.list_type->name] =
        registry::custom::published_list_schema(published, name, dialect);
  }
  const schema::Catalogue& catalogue = schema::Catalogue::built_in();
  if (dialect == Dialect::kV3) {
    return schema::openapi::custom_document_v3(catalogue, texts, std::move(document));
  }
  schema::openapi::CustomPartsV2 parts =
      schema::openapi::custom_parts_v2(catalogue, texts, std::move(document));
  definitions->append(",").append(parts.definitions);
  return std::move(parts.paths);
}

std::string CustomDocuments::v3(std::string_view key, const Descriptions& texts) const {
  return made(key, Dialect::kV3, texts, nullptr);
}

std::string CustomDocuments::v2(std::string_view built_in, const Descriptions& texts) const {
  std::string paths, definitions;
  for (const auto& [key, kinds] : by_key_) {
    paths.append(",").append(made(key, Dialect::kV2, texts, &definitions));
  }
  constexpr std::string_view kDefinitions = "},\"definitions\":{";
  constexpr std::string_view kParameters = "},\"parameters\":{";
  const std::size_t end_of_paths = built_in.find(kDefinitions);
  const std::size_t end_of_definitions = built_in.rfind(kParameters);
  std::string all(built_in.substr(0, end_of_paths));
  all += paths;
  all += built_in.substr(end_of_paths, end_of_definitions - end_of_paths);
  all += definitions;
  return all.append(built_in.substr(end_of_definitions));
}

}  // namespace tabernetes::server
