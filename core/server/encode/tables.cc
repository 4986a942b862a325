#include "server/encode/tables.h"

#include "base/api/api_version.h"
#include "base/go/text.h"
#include "kinds/table/built_in_table.h"
#include "registry/kind/kind_behaviour.h"
#include "registry/meta/object_meta.h"
#include "registry/table/table.h"

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

Result<registry::IncludeObject> included_object(const RequestContext& call) {
  const std::string_view name = call.query.get("includeObject");
  if (const auto include = registry::parse_include_object(name)) return *include;
  return errors::bad_request(
      "Unable to convert to Table as requested: includeObject: Invalid value: " + go_quote(name) +
      ": must be 'Metadata', 'Object', 'None', or empty");
}

Result<Value> table_of_object(RequestContext& call, const Representation& form, Value object) {
  TAB_TRY(const registry::IncludeObject include, included_object(call));
  const registry::TableOptions options{
      .include_object = include, .version = form.meta_version, .shown_as = call.type};
  const auto table = [&](const registry::TablePrinter& printer) {
    return registry::make_table(printer, json::Range<Value>(&object, 1),
                                registry::table_metadata(object, call.arena), options, call.now,
                                call.arena);
  };
  const std::string_view kind = object.string_at("kind");
  if (kind == call.type->resource->kind) return table(call.type->behaviour->table());
  // What a subresource answers with, or a Status.
  return table(
      registry::BuiltInTable(split_api_version(object.string_at("apiVersion")).group, kind));
}

std::string go_type_name(std::string_view group, std::string_view kind) {
  const std::string package(group.empty() ? "core" : group.substr(0, group.find('.')));
  return package + "." + std::string(kind);
}

}  // namespace tabernetes::server
