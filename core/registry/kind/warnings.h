// What a server warns of when it stores an object: texts of Warning headers.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "rules/field.h"

namespace tabernetes::registry {

class Warnings {
 public:
  // `arena` is that of the request, for what finding warnings takes.
  Warnings(std::vector<std::string>& texts, json::Arena& arena) : texts_(texts), arena_(arena) {}

  json::Arena& arena() { return arena_; }

  // No header has room for more: those that are added are dropped.
  bool full() const { return texts_.size() >= 4096; }

  void add(std::initializer_list<std::string_view> parts);
  // `path: parts`
  void at(const validation::Field& place, std::initializer_list<std::string_view> parts);

 private:
  std::vector<std::string>& texts_;
  json::Arena& arena_;
};

// Which texts were there before, and the number that each came with first.
class Known {
 public:
  explicit Known(json::Arena& arena) : arena_(arena), texts_(json::Value::object(arena)) {}

  // The number of `text`, a view that lives on; `number` if it is new.
  std::int64_t find_or_add(std::string_view text, std::int64_t number);

 private:
  json::Arena& arena_;
  json::Value texts_;
};

}  // namespace tabernetes::registry
