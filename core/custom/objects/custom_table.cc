// Rows of tables of custom resources. Source: upstream 1.36 apiextensions-apiserver
// pkg/registry/customresource/tableconvertor; spec/crd-auth-admission.md 3.3.
#include <string>

#include "base/go/text.h"
#include "base/numbers/float_digits.h"
#include "base/time/rfc3339.h"
#include "codec/json_writer.h"
#include "custom/objects/custom_kind.h"

namespace tabernetes::registry::custom {
namespace {

using json::Value;

// Prints a value as Go does: scalars plain, others as JSON.
std::string cell_text(const Value& value) {
  if (value.is_string()) return std::string(value.as_string());
  if (value.is_null()) return "<no value>";
  if (value.is_double()) return go_json_float(value.as_double());
  return codec::json_text(value);
}

Value date_cell(const Value& value, Row& row) {
  if (!value.is_string()) return Value::null();
  const std::string_view text = value.as_string();
  const bool unset = text.empty() || text == "null";
  if (!unset && !parse_rfc3339(text)) return Value::string("<invalid>");
  return Value::string(row.arena().copy(row.age_of(unset ? std::string_view() : text)));
}

Value cell_of(std::string_view type, const Value& value, Row& row) {
  if (type == "string") return Value::string(row.arena().copy(cell_text(value)));
  if (type == "date") return date_cell(value, row);
  if (type == "boolean") return value.is_bool() ? value : Value::null();
  if (type == "number") return value.is_number() ? value : Value::null();
  if (type != "integer" || !value.is_number()) return Value::null();
  if (value.is_int()) return value;
  return Value::integer(static_cast<std::int64_t>(value.as_double()));
}

}  // namespace

CustomTable::CustomTable()
    : columns_{schema::Catalogue::built_in().default_table().columns.front()} {}

void CustomTable::add(const schema::Column& shown, JsonPath path) {
  columns_.push_back(shown);
  paths_.push_back(std::move(path));
}

void CustomTable::print(const Value& object, Row& row) const {
  row.name(object);
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    const Value* value = paths_[i].find(object);
    row.cell(value == nullptr ? Value::null() : cell_of(columns_[i + 1].type, *value, row));
  }
}

}  // namespace tabernetes::registry::custom
