#include "server/limits/concurrency_shares.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

namespace tabernetes::server {
namespace {

std::vector<LevelSpec> levels(const std::vector<int>& shares, int lendable = 0,
                              std::optional<int> borrowing = {}) {
  std::vector<LevelSpec> all;
  for (const int each : shares) {
    all.push_back({.name = {},
                   .uid = {},
                   .shares = each,
                   .lendable_percent = lendable,
                   .borrowing_percent = borrowing});
  }
  return all;
}

// The limits of a real server, of all seats by default and of 3.
TEST_CASE("Seats are divided by shares, and rounded up") {
  const auto all = divide_seats(600, levels({5, 0, 20, 10, 40, 30, 40, 100}));
  const int usual[] = {13, 0, 49, 25, 98, 74, 98, 245};
  for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i].nominal == usual[i]);
  const auto few = divide_seats(3, levels({5, 0, 20, 10, 40, 1, 1, 1, 30, 40, 100}));
  CHECK(few[0].nominal == 1);
  CHECK(few[1].nominal == 0);
  CHECK(few[5].nominal == 1);
  CHECK(few[10].nominal == 2);
}

TEST_CASE("A level lends a part of its seats, and borrows up to a part or all") {
  CHECK(divide_seats(100, levels({1}, 33))[0] == SeatLimits{100, 67, 200});
  CHECK(divide_seats(100, levels({1, 1}, 50, 20))[0] == SeatLimits{50, 25, 60});
  CHECK(divide_seats(0, levels({0}))[0] == SeatLimits{0, 0, 0});
}

TEST_CASE("Seats are allocated in proportion to targets, within bounds") {
  const auto even = allocate_seats(30, {{0, 100, 5}, {0, 100, 10}});
  REQUIRE(even);
  CHECK(even->seats[0] == Catch::Approx(10));
  CHECK(even->seats[1] == Catch::Approx(20));
  CHECK(even->fair_fraction == Catch::Approx(2));
  const auto bounded = allocate_seats(30, {{0, 4, 5}, {0, 100, 10}});
  REQUIRE(bounded);
  CHECK(bounded->seats[0] == Catch::Approx(4));
  CHECK(bounded->seats[1] == Catch::Approx(26));
  const auto least = allocate_seats(30, {{20, 40, 20}, {0, 100, 20}});
  REQUIRE(least);
  CHECK(least->seats[0] == Catch::Approx(20));
  CHECK(least->seats[1] == Catch::Approx(10));
}

TEST_CASE("Bounds that leave no division are told") {
  CHECK_FALSE(allocate_seats(10, {{6, 6, 6}, {6, 6, 6}}));
  CHECK_FALSE(allocate_seats(20, {{0, 5, 5}, {0, 5, 5}}));
  CHECK_FALSE(allocate_seats(5, {{3, 2, 3}}));
  CHECK(allocate_seats(0, {{0, 5, 5}})->seats[0] == 0);
}

}  // namespace
}  // namespace tabernetes::server
