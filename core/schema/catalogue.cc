// Lookups in the schema model.
#include <algorithm>

#include "schema/catalogue_reader.h"
#include "schema/schema.h"

namespace tabernetes::schema {

const Field* Type::find(std::string_view json_name) const {
  const auto found = std::lower_bound(
      by_name.begin(), by_name.end(), json_name,
      [this](std::uint16_t i, std::string_view wanted) { return flattened[i]->name < wanted; });
  if (found == by_name.end() || flattened[*found]->name != json_name) return nullptr;
  return flattened[*found];
}

bool Resource::has_verb(std::string_view verb) const {
  return std::find(verbs.begin(), verbs.end(), verb) != verbs.end();
}

const Subresource* Resource::find_subresource(std::string_view sub_name) const {
  for (const Subresource& sub : subresources) {
    if (sub.name == sub_name) return &sub;
  }
  return nullptr;
}

const Catalogue& Catalogue::built_in() {
  static const Catalogue* const catalogue = CatalogueReader::read_built_in();
  return *catalogue;
}

const Resource* Catalogue::find_resource(std::string_view group, std::string_view version,
                                         std::string_view plural) const {
  for (const Resource& resource : resources_) {
    if (resource.plural == plural && resource.group == group && resource.version == version) {
      return &resource;
    }
  }
  return nullptr;
}

const Type* Catalogue::find_type(std::string_view name) const {
  const auto found =
      std::lower_bound(types_.begin(), types_.end(), name,
                       [](const Type& type, std::string_view n) { return type.name < n; });
  return found == types_.end() || found->name != name ? nullptr : &*found;
}

const Type* Catalogue::find_kind(std::string_view group, std::string_view version,
                                 std::string_view kind) const {
  auto found =
      std::lower_bound(kinds_.begin(), kinds_.end(), kind,
                       [](const Type* type, std::string_view k) { return type->kind < k; });
  for (; found != kinds_.end() && (*found)->kind == kind; ++found) {
    const Type& type = **found;
    if (type.published == PublishedKind::kAll) return &type;
    if (type.group == group && type.version == version) return &type;
  }
  return nullptr;
}

const PrintedKind* Catalogue::find_printed(std::string_view group, std::string_view kind) const {
  for (const PrintedKind& printed : printed_) {
    if (printed.kind != kind) continue;
    if (std::find(printed.groups.begin(), printed.groups.end(), group) != printed.groups.end()) {
      return &printed;
    }
  }
  return nullptr;
}

const FeatureGate* Catalogue::find_gate(std::string_view name) const {
  const auto found = std::lower_bound(
      feature_gates_.begin(), feature_gates_.end(), name,
      [](const FeatureGate& gate, std::string_view wanted) { return gate.name < wanted; });
  return found != feature_gates_.end() && found->name == name ? &*found : nullptr;
}

}  // namespace tabernetes::schema
