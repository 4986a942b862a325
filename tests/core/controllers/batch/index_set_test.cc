#include "controllers/batch/index_set.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

namespace tabernetes::controllers {
namespace {

TEST_CASE("index set: texts of a Job's status", "[controllers]") {
  struct Case {
    std::string_view text, printed;
    int completions, total;
  };
  const Case cases[] = {
      {"", "", 5, 0},
      {"0", "0", 5, 1},
      {"0-4", "0-4", 5, 5},
      {"0,1", "0,1", 5, 2},
      {"1,3-5,7", "1,3-5,7", 9, 5},
      // What is beyond the completions does not count.
      {"1,3-5,7", "1,3,4", 5, 3},
      {"7", "", 5, 0},
      // What is no interval is left out.
      {"x,2,3-y", "2", 5, 1},
      {"1,2,3", "1-3", 5, 3},
  };
  for (const Case& c : cases) {
    INFO(c.text);
    const IndexSet set = IndexSet::parse(c.text, c.completions);
    CHECK(set.to_string() == c.printed);
    CHECK(set.total() == c.total);
  }
}

TEST_CASE("index set: members, merging and gaps", "[controllers]") {
  IndexSet set = IndexSet::parse("1,3-5", 10);
  CHECK(set.has(1));
  CHECK_FALSE(set.has(2));
  CHECK(set.has(4));
  CHECK(set.missing(3, 10) == std::vector<int>{0, 2, 6});
  CHECK(set.missing(9, 7) == std::vector<int>{0, 2, 6});
  set.add(2);
  set.add(9);
  CHECK(set.to_string() == "1-5,9");
  set.merge(IndexSet::parse("0,6-8", 10));
  CHECK(set.to_string() == "0-9");
  CHECK(set.missing(3, 10).empty());
  CHECK(IndexSet::parse("0-4", 9).overlap(IndexSet::parse("3-8", 9)) == 2);
}

}  // namespace
}  // namespace tabernetes::controllers
