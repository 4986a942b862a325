#include "server/request/object_selector.h"

#include <optional>
#include <string>

#include "kinds/table/selectable_fields.h"
#include "registry/objects/object_record.h"

namespace tabernetes::server {

Result<ObjectSelector> ObjectSelector::parse(const ListOptions& options,
                                             const registry::ResourceType& type) {
  ObjectSelector selector{.labels = options.label_selector, .fields = {}};
  TAB_TRY(selector.fields,
          options.field_selector.resolve(*type.resource, type.strategy->unknown_field_label));
  return selector;
}

bool ObjectSelector::matches(const registry::ResourceType& type, std::string_view key,
                             const store::Record& record) const {
  if (!labels.may_match(registry::offsets_of(record).label_bloom)) return false;
  const auto label = [&](std::string_view name) { return registry::label_of(record, name); };
  if (!labels.matches_by(label)) return false;
  if (fields.empty()) return true;
  const registry::KeyParts parts = registry::split_key(type, key);
  json::Arena arena;
  std::optional<json::Value> object;
  return fields.matches([&](std::string_view field) -> std::string {
    if (field == "metadata.name") return std::string(parts.name);
    if (field == "metadata.namespace") return std::string(parts.ns);
    if (!object) object = registry::read_object(type, record, arena);
    return registry::kinds::selectable_field(*type.resource, field, *object);
  });
}

}  // namespace tabernetes::server
