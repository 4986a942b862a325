#include "registry/table/table.h"

#include <vector>

#include "base/sort.h"
#include "json/access.h"
#include "registry/crd/columns.h"
#include "registry/kinds/printers.h"
#include "registry/meta_version.h"
#include "registry/object_record.h"
#include "registry/partial_metadata.h"
#include "registry/table/row.h"

namespace tabernetes::registry {
namespace {

using json::Arena;
using json::Range;
using json::Value;

constexpr std::string_view kNeverSet = "0001-01-01T00:00:00Z";
constexpr std::string_view kInitialEventsEnd = "k8s.io/initial-events-end";

void print_default(const Value& object, Row& row) {
  row.name(object);
  row.text_or(text_at(object, {"metadata", "creationTimestamp"}), kNeverSet);
}

// How objects of a kind are printed.
struct Print {
  const schema::PrintedKind* kind = nullptr;
  Printer cells = nullptr;
  const crd::CustomVersion* custom = nullptr;  // instead of the others
};

Print print_of(const schema::Catalogue& catalogue, std::string_view group, std::string_view kind,
               const ResourceType* type) {
  if (type != nullptr && type->custom != nullptr && type->resource->kind == kind) {
    return {nullptr, nullptr, type->custom};
  }
  const Print print{catalogue.find_printed(group, kind), find_printer(group, kind)};
  if (print.kind != nullptr && print.cells != nullptr) return print;
  return {&catalogue.default_table(), &print_default};
}

Value column_definitions(const Print& print, Arena& arena) {
  Value definitions = Value::array(arena);
  std::vector<schema::Column> custom;
  if (print.custom != nullptr) custom = crd::columns_of(*print.custom);
  for (const schema::Column& column : print.custom != nullptr ? custom : print.kind->columns) {
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

// The bookmark that ends the initial events shows its annotation even where no object is asked for.
bool ends_initial_events(const Value& object) {
  return text_at(object, {"metadata", "annotations", kInitialEventsEnd}) == "true";
}

Value included_object(const Value& object, const TableOptions& options, Arena& arena) {
  if (options.include_object == IncludeObject::kObject) {
    return options.shown_as ? served_form(*options.shown_as, object, arena) : object;
  }
  if (options.include_object == IncludeObject::kMetadata || ends_initial_events(object)) {
    return partial_metadata(object, options.version, arena);
  }
  return Value::null();
}

TableRow make_row(const Value& object, const Print& print, const TableOptions& options, Time now,
                  Arena& arena) {
  Row row(now, arena);
  if (print.custom != nullptr) {
    crd::print(*print.custom, object, row, arena);
  } else {
    print.cells(object, row);
  }
  Value result = Value::object(arena);
  result.append(arena, "cells", row.cells());
  if (!row.conditions().is_null()) result.append(arena, "conditions", row.conditions());
  result.append(arena, "object", included_object(object, options, arena));
  return {result, row.validity()};
}

// FlowSchemas are listed in the order in which they are tried.
std::vector<const Value*> in_printed_order(std::string_view kind, Range<Value> objects) {
  std::vector<const Value*> order;
  order.reserve(objects.size());
  for (const Value& object : objects) order.push_back(&object);
  if (rows_in_order(kind)) return order;
  sort_stable(order, [](const Value* a, const Value* b) {
    const auto precedence_a = number_at(*a, {"spec", "matchingPrecedence"});
    const auto precedence_b = number_at(*b, {"spec", "matchingPrecedence"});
    if (precedence_a != precedence_b) return precedence_a < precedence_b;
    return text_at(*a, {"metadata", "name"}) < text_at(*b, {"metadata", "name"});
  });
  return order;
}

}  // namespace

bool rows_in_order(std::string_view kind) { return kind != "FlowSchema"; }

std::optional<IncludeObject> parse_include_object(std::string_view text) {
  if (text.empty() || text == "Metadata") return IncludeObject::kMetadata;
  if (text == "Object") return IncludeObject::kObject;
  if (text == "None") return IncludeObject::kNone;
  return std::nullopt;
}

Value make_table(const schema::Catalogue& catalogue, std::string_view group, std::string_view kind,
                 Range<Value> objects, const Value& metadata, const TableOptions& options, Time now,
                 Arena& arena) {
  const Print print = print_of(catalogue, group, kind, options.shown_as);
  Value table = table_frame(catalogue, group, kind, metadata, options, arena);
  Value* rows = table.find("rows");
  for (const Value* object : in_printed_order(kind, objects)) {
    rows->push_back(arena, make_row(*object, print, options, now, arena).value);
  }
  // Go has no list there yet where the default table has no row.
  if (rows->size() == 0 && print.cells == &print_default) *rows = Value::null();
  return table;
}

Value table_frame(const schema::Catalogue& catalogue, std::string_view group, std::string_view kind,
                  const Value& metadata, const TableOptions& options, Arena& arena) {
  const Print print = print_of(catalogue, group, kind, options.shown_as);
  Value columns;
  if (options.with_columns) columns = column_definitions(print, arena);
  Value table = Value::object(arena);
  table.append(arena, "kind", Value::string("Table"));
  table.append(arena, "apiVersion", Value::string(meta_api_version(options.version)));
  table.append(arena, "metadata", metadata);
  table.append(arena, "columnDefinitions", columns);
  table.append(arena, "rows", Value::array(arena));
  return table;
}

TableRow table_row(const schema::Catalogue& catalogue, std::string_view group,
                   std::string_view kind, const Value& object, const TableOptions& options,
                   Time now, Arena& arena) {
  return make_row(object, print_of(catalogue, group, kind, options.shown_as), options, now, arena);
}

Value table_columns(const schema::Catalogue& catalogue, std::string_view group,
                    std::string_view kind, const ResourceType* shown_as, Arena& arena) {
  return column_definitions(print_of(catalogue, group, kind, shown_as), arena);
}

Value table_metadata(const Value& object, Arena& arena) {
  Value metadata = Value::object(arena);
  const std::string_view version = text_at(object, {"metadata", "resourceVersion"});
  if (!version.empty()) metadata.append(arena, "resourceVersion", Value::string(version));
  return metadata;
}

}  // namespace tabernetes::registry
