#include "server/tables.h"

#include "base/api_version.h"
#include "base/go_text.h"
#include "registry/object_meta.h"
#include "registry/table.h"

namespace tabernetes::server {

using json::Value;

Value read_shown(const registry::ResourceType& type, const store::Record& record,
                 store::Revision shown, json::Arena& arena) {
  Value object = registry::read_object(type, record, arena);
  if (shown != 0 && shown != record.revision) {
    registry::ObjectMeta(object, arena).set("resourceVersion", std::to_string(shown));
  }
  return object;
}

ApiStatus include_object_error(const Query& query) {
  return errors::bad_request(
      "Unable to convert to Table as requested: includeObject: Invalid value: " +
      go_quote(query.get("includeObject")) + ": must be 'Metadata', 'Object', 'None', or empty");
}

Result<Value> table_of_object(Call& call, const Representation& form, Value object) {
  const auto include = registry::parse_include_object(call.query.get("includeObject"));
  if (!include) return make_unexpected(include_object_error(call.query));
  const registry::TableOptions options{.include_object = *include, .version = form.meta_version};
  const std::string_view group = split_api_version(object.string_at("apiVersion")).group;
  return registry::make_table(
      call.surface.catalogue, group, object.string_at("kind"), json::Range<Value>(&object, 1),
      registry::table_metadata(object, call.arena), options, call.now, call.arena);
}

std::string go_type_name(const registry::ResourceType& type) {
  const std::string_view group = type.resource->group;
  const std::string package(group.empty() ? "core" : group.substr(0, group.find('.')));
  return package + "." + std::string(type.resource->kind);
}

}  // namespace tabernetes::server
