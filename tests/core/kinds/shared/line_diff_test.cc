#include "kinds/shared/line_diff.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace tabernetes::registry::kinds {
namespace {

TEST_CASE("line diffs: same as Python's difflib", "[registry]") {
  struct Case {
    std::string_view name, before, after, diff;
  };
  static constexpr Case kCases[] = {
      {"nothing", "a\nb", "a\nb", ""},
      {"a line of many", "1\n2\n3\n4\n5\n6\n7\n8\n9", "1\n2\n3\n4\nx\n6\n7\n8\n9",
       "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n"},
      {"two far apart", "a\n1\n2\n3\n4\n5\n6\n7\nb", "A\n1\n2\n3\n4\n5\n6\n7\nB",
       "@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n"},
      {"two close together", "a\n1\n2\n3\nb", "A\n1\n2\n3\nB",
       "@@ -1,5 +1,5 @@\n-a\n+A\n 1\n 2\n 3\n-b\n+B\n"},
      {"lines more", "a\nb", "a\nx\ny\nb", "@@ -1,2 +1,4 @@\n a\n+x\n+y\n b\n"},
      {"lines less", "a\nx\nb", "a\nb", "@@ -1,3 +1,2 @@\n a\n-x\n b\n"},
      {"one line", "a", "b", "@@ -1 +1 @@\n-a\n+b\n"},
      {"the longest run first", "ab\nacab", "ab\nab\nacab", "@@ -1,2 +1,3 @@\n+ab\n ab\n acab\n"},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.name) { CHECK(line_diff(c.before, c.after) == c.diff); }
  }
}

TEST_CASE("line diffs: hostile texts are fast", "[registry]") {
  std::string before, after;
  for (int i = 0; i < 200000; ++i) {
    before += "x\n";
    after += i % 2 == 0 ? "x\n" : "y\n";
  }
  CHECK(line_diff(before, after).empty());
  const std::string few = before.substr(0, 8000), others = after.substr(0, 8000);
  CHECK(line_diff(few, others).starts_with("@@ -"));
}

}  // namespace
}  // namespace tabernetes::registry::kinds
