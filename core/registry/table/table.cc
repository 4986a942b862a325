#include "registry/table/table.h"

#include <vector>

#include "base/algorithm/sort.h"
#include "json/access.h"
#include "registry/cells/row.h"
#include "registry/meta/meta_version.h"
#include "registry/objects/object_record.h"
#include "registry/table/partial_metadata.h"

namespace tabernetes::registry {
namespace {

using json::Arena;
using json::Range;
using json::Value;

constexpr std::string_view kInitialEventsEnd = "k8s.io/initial-events-end";

// Returns true for the bookmark that ends the initial events: its annotation is shown even with
// includeObject=None.
bool ends_initial_events(const Value& object) {
  return text_at(object, {"metadata", "annotations", kInitialEventsEnd}) == "true";
}

Value included_object(const Value& object, const TableOptions& options, Arena& arena) {
  if (options.include_object == IncludeObject::kObject) {
    return options.shown_as ? served_form(*options.shown_as, object, arena) : object;
  }
  if (options.include_object == IncludeObject::kMetadata || ends_initial_events(object)) {
    return partial_metadata(options.shown_as, object, options.version, arena);
  }
  return Value::null();
}

std::vector<const Value*> in_printed_order(const TablePrinter& printer, Range<Value> objects) {
  std::vector<const Value*> order;
  order.reserve(objects.size());
  for (const Value& object : objects) order.push_back(&object);
  if (const TablePrinter::Order before = printer.order()) {
    sort_stable(order, [&](const Value* a, const Value* b) { return before(*a, *b); });
  }
  return order;
}

}  // namespace

std::optional<IncludeObject> parse_include_object(std::string_view text) {
  if (text.empty() || text == "Metadata") return IncludeObject::kMetadata;
  if (text == "Object") return IncludeObject::kObject;
  if (text == "None") return IncludeObject::kNone;
  return std::nullopt;
}

Value make_table(const TablePrinter& printer, Range<Value> objects, const Value& metadata,
                 const TableOptions& options, Time now, Arena& arena) {
  Value table = table_frame(printer, metadata, options, arena);
  Value* rows = table.find("rows");
  for (const Value* object : in_printed_order(printer, objects)) {
    rows->push_back(arena, table_row(printer, *object, options, now, arena).value);
  }
  // Upstream's default table has nil rows if there are no objects.
  if (rows->size() == 0 && printer.null_without_objects()) *rows = Value::null();
  return table;
}

Value table_frame(const TablePrinter& printer, const Value& metadata, const TableOptions& options,
                  Arena& arena) {
  Value columns;
  if (options.with_columns) columns = table_columns(printer, arena);
  Value table = Value::object(arena);
  table.append(arena, "kind", Value::string("Table"));
  table.append(arena, "apiVersion", Value::string(meta_api_version(options.version)));
  table.append(arena, "metadata", metadata);
  table.append(arena, "columnDefinitions", columns);
  table.append(arena, "rows", Value::array(arena));
  return table;
}

TableRow table_row(const TablePrinter& printer, const Value& object, const TableOptions& options,
                   Time now, Arena& arena) {
  Row row(now, arena);
  printer.print(object, row);
  Value result = Value::object(arena);
  result.append(arena, "cells", row.cells());
  if (!row.conditions().is_null()) result.append(arena, "conditions", row.conditions());
  result.append(arena, "object", included_object(object, options, arena));
  return {result, row.validity()};
}

Value table_columns(const TablePrinter& printer, Arena& arena) {
  Value definitions = Value::array(arena);
  for (const schema::Column& column : printer.columns()) {
    Value definition = Value::object(arena);
    definition.append(arena, "name", Value::string(column.name));
    definition.append(arena, "type", Value::string(column.type));
    definition.append(arena, "format", Value::string(column.format));
    definition.append(arena, "description", Value::string(column.description));
    definition.append(arena, "priority", Value::integer(column.priority));
    definitions.push_back(arena, definition);
  }
  return definitions;
}

Value table_metadata(const Value& object, Arena& arena) {
  Value metadata = Value::object(arena);
  const std::string_view version = text_at(object, {"metadata", "resourceVersion"});
  if (!version.empty()) metadata.append(arena, "resourceVersion", Value::string(version));
  return metadata;
}

}  // namespace tabernetes::registry
