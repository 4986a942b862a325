#include "base/algorithm/sort.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <span>
#include <string>
#include <utility>

namespace tabernetes {
namespace {

using Pairs = std::vector<std::pair<int, std::string>>;

// Returns numbers that repeat, each with its index.
Pairs numbers(int count, int different) {
  Pairs result;
  unsigned state = 12345;
  for (int i = 0; i < count; ++i) {
    state = state * 1103515245u + 12345u;
    result.emplace_back(static_cast<int>((state >> 16) % static_cast<unsigned>(different)),
                        std::to_string(i));
  }
  return result;
}

const auto kByNumber = [](const auto& a, const auto& b) { return a.first < b.first; };

TEST_CASE("elements are sorted and equal ones stay in their order") {
  for (const int count : {0, 1, 2, 7, 8, 9, 16, 17, 100, 1000}) {
    for (const int different : {1, 2, 10, 100000}) {
      Pairs mine = numbers(count, different);
      Pairs expected = mine;
      std::stable_sort(expected.begin(), expected.end(), kByNumber);
      sort_stable(mine, kByNumber);
      CHECK(mine == expected);
      std::reverse(mine.begin(), mine.end());
      expected = mine;
      std::stable_sort(expected.begin(), expected.end(), kByNumber);
      sort_stable(mine, kByNumber);
      CHECK(mine == expected);
    }
  }
}

TEST_CASE("what is sorted already has no places to change") {
  const std::vector<int> items{1, 2, 2, 3};
  const PlaceOrder order{[](const void* context, std::uint32_t a, std::uint32_t b) {
                           const auto& of = *static_cast<const std::vector<int>*>(context);
                           return of[a] < of[b];
                         },
                         &items};
  CHECK(SortedPlaces(items.size(), order).size() == 0);
  CHECK(SortedPlaces(0, order).size() == 0);
}

TEST_CASE("a part is sorted and the rest stays") {
  std::vector<int> items{9, 3, 2, 1, 0};
  sort_stable(std::span(items).subspan(1, 3));
  CHECK(items == std::vector<int>{9, 1, 2, 3, 0});
}

}  // namespace
}  // namespace tabernetes
