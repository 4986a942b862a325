// Reads the vectors of a unit test: a JSON file {"doc", "cases": [...]} in the test's folder. Its
// results were made by running upstream's code.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "data.h"
#include "json/value.h"

namespace tabernetes::tests {

class Vectors {
 public:
  // `path` is relative to tests/core, such as "registry/vectors/label_selectors.json".
  explicit Vectors(const std::string& path) {
    root_ = read_data("core/" + path, arena_);
    REQUIRE(cases().size() > 0);
  }

  json::Range<json::Value> cases() const { return root_.find("cases")->items(); }
  const json::Value& root() const { return root_; }

 private:
  json::Arena arena_;
  json::Value root_;
};

// Returns the text of a case in quotes, with control characters escaped.
inline std::string name_of(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    static constexpr char kHex[] = "0123456789abcdef";
    if (byte < 0x20) {
      name += std::string("\\x") + kHex[byte >> 4] + kHex[byte & 15];
    } else {
      name += c;
    }
  }
  return "'" + name + "'";
}

}  // namespace tabernetes::tests
