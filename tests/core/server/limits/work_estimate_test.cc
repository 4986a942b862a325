#include "server/limits/work_estimate.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace tabernetes::server {
namespace {

struct ListCase {
  std::string_view what, query;
  std::size_t objects;
  std::uint64_t bytes;  // of each
  int seats;
  int most = 0;
  bool watches = false, one_object = false;
};

TEST_CASE("Seats of a list are by the bytes that it loads") {
  static constexpr ListCase kCases[] = {
      {"nothing is stored", "", 0, 0, 1},
      {"little", "", 50, 1000, 1},
      {"a seat for each 100 kB", "", 101, 1000, 2},
      {"the watch cache is read in pieces", "", 5000, 1000, 10},
      {"as new as any", "resourceVersion=0", 5000, 1000, 10},
      {"a selector in the watch cache saves nothing", "labelSelector=a%3Db", 300, 1000, 3},
      {"a page", "limit=250", 5000, 1000, 3},
      {"a page of old objects is from the store", "limit=5000&resourceVersion=7", 5000, 1000, 50},
      {"an old state", "resourceVersion=7&resourceVersionMatch=Exact", 5000, 1000, 50},
      {"not older than", "resourceVersion=7&resourceVersionMatch=NotOlderThan", 5000, 1000, 10},
      {"a later page", "limit=500&continue=x", 5000, 1000, 5},
      {"a later page with a selector loads more", "limit=500&continue=x&labelSelector=a", 5000,
       1000, 25},
      {"no more than 100", "continue=x", 50'000, 1000, 100},
      {"nor than the level gives", "continue=x", 50'000, 1000, 7, 7},
      {"one object", "fieldSelector=metadata.name%3Da", 5000, 1000, 1, 0, false, true},
      {"one large object", "", 5000, 250'000, 3, 0, false, true},
      {"not a number", "limit=x", 0, 0, 100},
      {"not a number in a small level", "timeoutSeconds=x", 0, 0, 3, 3},
      {"a watch with its objects", "", 5000, 1000, 10, 0, true},
      {"a watch that asks for them", "resourceVersion=7&sendInitialEvents=true", 5000, 1000, 10, 0,
       true},
      {"a watch that goes on", "resourceVersion=7", 5000, 1000, 1, 0, true},
  };
  for (const ListCase& c : kCases) {
    DYNAMIC_SECTION(c.what) {
      const Query query = Query::parse(c.query);
      const WorkEstimate estimate = estimate_list({.query = query,
                                                   .watches = c.watches,
                                                   .one_object = c.one_object,
                                                   .stored = {c.objects, c.objects * c.bytes}},
                                                  c.most);
      CHECK(estimate.initial_seats == c.seats);
      CHECK(estimate.seats() == c.seats);
      CHECK(estimate.final_work() == 0);
    }
  }
}

TEST_CASE("Seats of a list may be by its objects") {
  static constexpr ListCase kCases[] = {
      {"from the watch cache all count", "limit=10", 501, 1, 6},
      {"from the store each counts twice", "limit=120&continue=x", 501, 1, 3},
      {"a selector looks at all", "limit=120&continue=x&fieldSelector=a", 501, 1, 7},
      {"no more than 10", "", 5000, 1, 10},
      {"one object", "", 5000, 1, 1, 0, false, true},
      {"not a number", "limit=x", 5000, 1, 10},
      {"little", "", 1, 1, 1},
  };
  for (const ListCase& c : kCases) {
    DYNAMIC_SECTION(c.what) {
      const Query query = Query::parse(c.query);
      const WorkEstimate estimate = estimate_list({.query = query,
                                                   .by_size = false,
                                                   .one_object = c.one_object,
                                                   .stored = {c.objects, c.objects * c.bytes}},
                                                  c.most);
      CHECK(estimate.seats() == c.seats);
    }
  }
}

TEST_CASE("Work that a write leaves for watches is kept when its seats are narrowed") {
  CHECK(estimate_write(9, 0).seats() == 1);
  CHECK(estimate_write(9, 0).final_work() == 0);
  const WorkEstimate two = estimate_write(11, 0);
  CHECK(two.initial_seats == 1);
  CHECK(two.final_seats == 2);
  CHECK(two.afterwards == Duration::from_milliseconds(5));
  const WorkEstimate ten = estimate_write(1000, 0);
  CHECK(ten.final_seats == 10);
  CHECK(ten.afterwards == Duration::from_milliseconds(50));
  const WorkEstimate narrow = estimate_write(1000, 4);
  CHECK(narrow.seats() == 4);
  CHECK(narrow.afterwards == Duration::from_milliseconds(125));
  CHECK(narrow.final_work() == ten.final_work());
}

TEST_CASE("A level gives a request a part of its seats") {
  LevelSpec level{.name = "a", .uid = {}, .borrowing_percent = {}};
  CHECK(most_seats(level, 100) == 0);  // without queues
  level.queues = 64;
  level.hand_size = 6;
  CHECK(most_seats(level, 100) == 15);
  CHECK(most_seats(level, 49) == 8);
  CHECK(most_seats(level, 5) == 1);
  level.hand_size = 20;
  CHECK(most_seats(level, 100) == 5);
}

TEST_CASE("Seat-seconds are printed with all digits") {
  CHECK(seat_seconds_text(seats_for(1, Duration::from_milliseconds(3))) == "0.00300000ss");
  CHECK(seat_seconds_text(-seats_for(2.5, Duration::from_seconds(1))) == "-2.50000000ss");
}

}  // namespace
}  // namespace tabernetes::server
