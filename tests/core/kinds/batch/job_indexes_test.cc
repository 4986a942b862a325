#include "kinds/batch/job_indexes.h"

#include <catch2/catch_test_macros.hpp>

namespace tabernetes::registry::kinds {
namespace {

TEST_CASE("indexes of jobs: their number, or the error", "[registry]") {
  struct Case {
    std::string_view text;
    std::int64_t count;
    std::string_view error;
  };
  static constexpr Case kCases[] = {
      {"", 0, ""},
      {"0", 1, ""},
      {"0,2-4,9", 5, ""},
      {"+1", 1, ""},
      {"10", 0, "too large index: \"10\""},
      {"1-10", 0, "too large index: \"10\""},
      {"2,1", 0, "non-increasing order, previous: 2, current: 1"},
      {"1,1", 0, "non-increasing order, previous: 1, current: 1"},
      {"1-3,3", 0, "non-increasing order, previous: 3, current: 3"},
      {"3-3", 0, "non-increasing order, previous: 3, current: 3"},
      {"4-3", 0, "non-increasing order, previous: 4, current: 3"},
      {"1-2-3", 0,
       "the fragment \"1-2-3\" violates the requirement that an index interval can have at most "
       "two parts separated by '-'"},
      {"x", 0, "cannot convert string to integer for index: \"x\""},
      {"1,", 0, "cannot convert string to integer for index: \"\""},
      {"-1", 0, "cannot convert string to integer for index: \"\""},
      {"99999999999999999999", 0,
       "cannot convert string to integer for index: \"99999999999999999999\""},
  };
  for (const Case& c : kCases) {
    INFO(c.text);
    const Indexes indexes = read_indexes(c.text, 10);
    CHECK(indexes.count == c.count);
    CHECK(indexes.error == c.error);
  }
}

TEST_CASE("indexes of jobs: the first one both completed and failed", "[registry]") {
  struct Case {
    std::string_view completed, failed, overlap;
  };
  constexpr std::string_view kNone;
  static constexpr Case kCases[] = {
      {"", "", kNone},     {"0-3", "", kNone}, {"0,2,4", "1,3,5", kNone}, {"0-3", "4-9", kNone},
      {"0-3", "3-9", "3"}, {"5", "0-9", "5"},  {"0-9", "5", "5"},         {"1,3,5", "0,2,5", "5"},
      {"x,4", "4", "4"},   {"4", "x,4", "4"},
  };
  for (const Case& c : kCases) {
    INFO(c.completed << " and " << c.failed);
    const std::string expected =
        c.overlap.empty()
            ? ""
            : "failedIndexes and completedIndexes overlap at index: " + std::string(c.overlap);
    CHECK(overlap_of(c.completed, c.failed, 10) == expected);
  }
}

}  // namespace
}  // namespace tabernetes::registry::kinds
