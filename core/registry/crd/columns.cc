#include "registry/crd/columns.h"

#include <string>

#include "base/go_text.h"
#include "base/rfc3339.h"
#include "codec/json_writer.h"

namespace tabernetes::registry::crd {
namespace {

using json::Value;

// As Go prints it: scalars plain, the others as JSON.
std::string cell_text(const Value& value) {
  if (value.is_string()) return std::string(value.as_string());
  if (value.is_null()) return "<no value>";
  if (value.is_double()) return go_json_float(value.as_double());
  return codec::json_text(value);
}

Value date_cell(const Value& value, Row& row, json::Arena& arena) {
  if (!value.is_string()) return Value::null();
  const std::string_view text = value.as_string();
  const bool unset = text.empty() || text == "null";
  if (!unset && !parse_rfc3339(text)) return Value::string("<invalid>");
  return Value::string(arena.copy(row.age_of(unset ? std::string_view() : text)));
}

Value cell_of(std::string_view type, const Value& value, Row& row, json::Arena& arena) {
  if (type == "string") return Value::string(arena.copy(cell_text(value)));
  if (type == "date") return date_cell(value, row, arena);
  if (type == "boolean") return value.is_bool() ? value : Value::null();
  if (type == "number") return value.is_number() ? value : Value::null();
  if (type != "integer" || !value.is_number()) return Value::null();
  if (value.is_int()) return value;
  return Value::integer(static_cast<std::int64_t>(value.as_double()));
}

}  // namespace

std::vector<schema::Column> columns_of(const CustomVersion& version) {
  std::vector<schema::Column> columns;
  columns.push_back(schema::Catalogue::built_in().default_table().columns.front());
  for (const CustomColumn& column : version.columns) columns.push_back(column.shown);
  return columns;
}

void print(const CustomVersion& version, const Value& object, Row& row, json::Arena& arena) {
  row.name(object);
  for (const CustomColumn& column : version.columns) {
    const Value* value = column.path.find(object);
    row.cell(value == nullptr ? Value::null() : cell_of(column.shown.type, *value, row, arena));
  }
}

}  // namespace tabernetes::registry::crd
