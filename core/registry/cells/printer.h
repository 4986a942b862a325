// How the objects of a kind become rows of a table.
#pragma once

#include <span>

#include "json/value.h"
#include "registry/cells/row.h"
#include "schema/schema.h"

namespace tabernetes::registry {

class TablePrinter {
 public:
  // Returns whether `a` comes before `b`.
  using Order = bool (*)(const json::Value& a, const json::Value& b);

  virtual ~TablePrinter() = default;

  virtual std::span<const schema::Column> columns() const = 0;
  // Adds a cell for each column.
  virtual void print(const json::Value& object, Row& row) const = 0;
  // Null: rows stand in the order of the objects.
  virtual Order order() const { return nullptr; }
  // Returns whether the rows of no objects are null, not an empty list.
  virtual bool null_without_objects() const { return false; }
};

}  // namespace tabernetes::registry
