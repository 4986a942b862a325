// A row of a table that is being printed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "json/value.h"
#include "registry/cells/validity.h"
#include "tabernetes/time.h"

namespace tabernetes::registry {

// Collects the cells of a row. A text given as a std::string is copied to the arena; a view must
// live as long as the tree (views of the object do).
class Row {
 public:
  Row(Time now, json::Arena& arena) : now_(now), arena_(arena), cells_(json::Value::array(arena)) {}

  void text(std::string_view view) { push(json::Value::string(view)); }
  void text(const char* literal) { text(std::string_view(literal)); }
  void text(const std::string& made) { text(arena_.copy(made)); }
  void text_or(std::string_view view, std::string_view fallback) {
    text(view.empty() ? fallback : view);
  }
  void number(std::int64_t n) { push(json::Value::integer(n)); }
  void cell(json::Value value) { push(value); }
  void boolean(bool b) { push(json::Value::boolean(b)); }

  // Adds metadata.name.
  void name(const json::Value& object);
  // Adds the age of metadata.creationTimestamp.
  void age(const json::Value& object);
  // Returns the age of an RFC 3339 time as format_age() does.
  std::string age_of(std::string_view rfc3339);

  // Sets the row's only condition: type Completed, status True.
  void completed(std::string_view reason, std::string_view message);

  json::Arena& arena() { return arena_; }

  json::Value cells() const { return cells_; }
  // Returns an array, or null if there are no conditions.
  json::Value conditions() const { return conditions_; }
  // Returns the times at which the row has these cells.
  const Validity& validity() const { return validity_; }

 private:
  void push(json::Value cell) { cells_.push_back(arena_, cell); }

  Time now_;
  json::Arena& arena_;
  json::Value cells_;
  json::Value conditions_;
  Validity validity_;
};

}  // namespace tabernetes::registry
