// One row of a table while it is printed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "json/value.h"
#include "registry/cells/validity.h"
#include "tabernetes/time.h"

namespace tabernetes::registry {

// Collects the cells of a row. Texts given as std::string are copied to the arena; views must live
// as long as the tree does (views of the object do).
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

  // metadata.name
  void name(const json::Value& object);
  // The age of metadata.creationTimestamp.
  void age(const json::Value& object);
  // How long ago an RFC 3339 time was, as age_at() tells it.
  std::string age_of(std::string_view rfc3339);

  // The row's one condition: of type Completed, status True.
  void completed(std::string_view reason, std::string_view message);

  json::Arena& arena() { return arena_; }

  json::Value cells() const { return cells_; }
  // An array, or null if there are none.
  json::Value conditions() const { return conditions_; }
  // When the row is what it is now.
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
