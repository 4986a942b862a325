// Tables of built-in kinds: the catalogue's columns with the printers of their cells.
#pragma once

#include "kinds/row/kind.h"
#include "registry/cells/printer.h"

namespace tabernetes::registry {

class BuiltInTable final : public TablePrinter {
 public:
  // Makes the table of a kind, which need not be a resource. The default columns are Name and
  // Created At.
  BuiltInTable(std::string_view group, std::string_view kind);

  std::span<const schema::Column> columns() const override { return columns_; }
  void print(const json::Value& object, Row& row) const override { print_(object, row); }
  Order order() const override { return order_; }
  bool null_without_objects() const override { return is_default_table_; }

 private:
  std::span<const schema::Column> columns_;
  kinds::Printer print_;
  Order order_ = nullptr;
  bool is_default_table_ = false;  // the default table
};

}  // namespace tabernetes::registry
