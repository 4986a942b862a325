#include "base/text/parts.h"

#include <catch2/catch_test_macros.hpp>
#include <set>

namespace tabernetes {
namespace {

using Views = std::vector<std::string_view>;

TEST_CASE("parts: texts are joined with separators between them", "[base]") {
  CHECK(join(Views{}, ", ") == "");
  CHECK(join(Views{"a"}, ", ") == "a");
  CHECK(join(Views{"", "b", ""}, ",") == ",b,");
  CHECK(join(std::set<std::string>{"b", "a"}, "; ") == "a; b");
  std::string text;
  for (const std::string_view part : {"a", "b", "c"}) append_part(text, part, " + ");
  CHECK(text == "a + b + c");
}

TEST_CASE("parts: what stands before a separator is taken off", "[base]") {
  std::string_view text = "a,,b";
  CHECK(take_part(text, ',') == "a");
  CHECK(take_part(text, ',') == "");
  CHECK(text == "b");
  CHECK(take_part(text, ',') == "b");
  CHECK(text.empty());
  CHECK(take_part(text, ',') == "");
}

TEST_CASE("parts: a text has one part more than separators", "[base]") {
  CHECK(split("", ',') == Views{""});
  CHECK(split("a", ',') == Views{"a"});
  CHECK(split(",a,", ',') == Views{"", "a", ""});
}

TEST_CASE("parts: characters are trimmed at both ends, not inside", "[base]") {
  CHECK(trim("", " ") == "");
  CHECK(trim("   ", " ") == "");
  CHECK(trim(" a b\t ", " \t") == "a b");
  CHECK(trim("\ta", " ") == "\ta");
}

}  // namespace
}  // namespace tabernetes
