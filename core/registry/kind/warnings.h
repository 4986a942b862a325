// Warnings about a stored object: texts of Warning headers.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "rules/field.h"

namespace tabernetes::registry {

class Warnings {
 public:
  // `arena` is the request's, for temporary values.
  Warnings(std::vector<std::string>& texts, json::Arena& arena) : texts_(texts), arena_(arena) {}

  json::Arena& arena() { return arena_; }

  // Returns true if no header has room for more warnings; further ones are dropped.
  bool full() const { return texts_.size() >= 4096; }

  void add(std::initializer_list<std::string_view> parts);
  // Adds `path: parts`.
  void at(const validation::Field& place, std::initializer_list<std::string_view> parts);

 private:
  std::vector<std::string>& texts_;
  json::Arena& arena_;
};

// Texts that were found before, each with the number of its first occurrence.
class FirstOccurrences {
 public:
  explicit FirstOccurrences(json::Arena& arena)
      : arena_(arena), texts_(json::Value::object(arena)) {}

  // Returns the number of `text`; adds it with `number` if it is new. REQUIRES: `text` outlives
  // this.
  std::int64_t find_or_add(std::string_view text, std::int64_t number);

 private:
  json::Arena& arena_;
  json::Value texts_;
};

}  // namespace tabernetes::registry
