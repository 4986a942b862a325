#include "kinds/table/built_in_table.h"

#include "json/access.h"
#include "kinds/table/kinds.h"

namespace tabernetes::registry {
namespace {

using json::Value;

constexpr std::string_view kNeverSet = "0001-01-01T00:00:00Z";

void print_usual(const Value& object, Row& row) {
  row.name(object);
  row.text_or(text_at(object, {"metadata", "creationTimestamp"}), kNeverSet);
}

}  // namespace

BuiltInTable::BuiltInTable(std::string_view group, std::string_view kind)
    : columns_(schema::Catalogue::built_in().default_table().columns), print_(&print_usual) {
  const schema::PrintedKind* printed = schema::Catalogue::built_in().find_printed(group, kind);
  const kinds::Kind& row = kinds::find_kind(group, kind);
  is_default_table_ = printed == nullptr || row.print == nullptr;
  if (is_default_table_) return;
  columns_ = printed->columns;
  print_ = row.print;
  order_ = row.row_order;
}

}  // namespace tabernetes::registry
