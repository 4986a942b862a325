// Prints the objects of a kind as rows of a table.
#pragma once

#include <span>

#include "json/value.h"
#include "registry/cells/row.h"
#include "schema/schema.h"

namespace tabernetes::registry {

class TablePrinter {
 public:
  // Returns true if `a` comes before `b`.
  using Order = bool (*)(const json::Value& a, const json::Value& b);

  virtual ~TablePrinter() = default;

  virtual std::span<const schema::Column> columns() const = 0;
  // Adds a cell for each column.
  virtual void print(const json::Value& object, Row& row) const = 0;
  // Returns the order of rows, or null to keep the order of the objects.
  virtual Order order() const { return nullptr; }
  // Returns true if the rows of an empty list are null instead of an empty array.
  virtual bool null_without_objects() const { return false; }
};

}  // namespace tabernetes::registry
