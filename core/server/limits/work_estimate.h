// How much of its priority level a request is expected to take: seats while it runs, and work that
// it leaves behind for watches. Source: upstream 1.36 apiserver/pkg/util/flowcontrol/request.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "server/http/query.h"
#include "server/limits/flow_schemas.h"
#include "store/tree.h"
#include "tabernetes/time.h"

namespace tabernetes::server {

// Seats times seconds, in units of 1e-8.
using SeatSeconds = std::int64_t;
inline constexpr SeatSeconds kSeatSecond = 100'000'000;

SeatSeconds seats_for(double seats, Duration time);
// Returns as upstream prints it: "0.00300000ss".
std::string seat_seconds_text(SeatSeconds work);

struct WorkEstimate {
  int initial_seats = 1;     // while it runs
  int final_seats = 0;       // for the time after that in which watches hear of a write
  Duration afterwards = {};  // that time

  // Returns the seats that it occupies.
  int seats() const { return std::max(initial_seats, final_seats); }
  SeatSeconds final_work() const { return seats_for(final_seats, afterwards); }
  // Has the final seats be no more than `most`, for a longer time. REQUIRES: most > 0.
  void narrow(int most);
};

// Returns the most seats that a request of the level gets, by its seats; 0: the level sets no
// limit.
int most_seats(const LevelSpec& level, int nominal_seats);

// A list, or a watch that may begin with one.
struct ListWork {
  const Query& query;
  bool watches = false;
  bool by_size = true;         // the gate SizeBasedListCostEstimate: not by the number of objects
  bool one_object = false;     // it names an object
  store::Tree::Extent stored;  // all objects of the resource
};
// `most`: see most_seats().
WorkEstimate estimate_list(const ListWork& work, int most);
// `watches`: those that hear of the write.
WorkEstimate estimate_write(int watches, int most);

}  // namespace tabernetes::server
