#include "rules/name_table.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

namespace tabernetes::registry::validation {
namespace {

TEST_CASE("name tables: each name once, for any number of names", "[registry]") {
  std::vector<std::string> names;
  for (int i = 0; i < 1000; ++i) names.push_back("name-" + std::to_string(i * 7919 % 1000));
  const json::Value value = json::Value::integer(1);
  NameTable table;
  CHECK(table.empty());
  for (std::size_t i = 0; i < names.size(); ++i) {
    CHECK_FALSE(table.has(names[i]));
    CHECK(table.add(names[i], i == 500 ? &value : nullptr));
    CHECK_FALSE(table.add(names[i]));
    CHECK(table.has(names[0]));
  }
  for (const std::string& name : names) CHECK(table.has(name));
  CHECK(table.find(names[500])->value == &value);
  CHECK(table.find(names[501])->value == nullptr);
  CHECK_FALSE(table.has("name-1000"));
  CHECK_FALSE(table.has(""));
}

TEST_CASE("name tables: the names in order", "[registry]") {
  NameTable table;
  for (const std::string_view name : {"b", "c", "a"}) table.add(name);
  CHECK(table.sorted() == "a, b, c");
}

}  // namespace
}  // namespace tabernetes::registry::validation
