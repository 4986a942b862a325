// How the seats of a server are divided among its priority levels, and lent between them. Source:
// upstream 1.36 apiserver/pkg/util/flowcontrol/{apf_controller,conc_alloc}.go.
#pragma once

#include <optional>
#include <vector>

#include "server/limits/flow_schemas.h"

namespace tabernetes::server {

// Seats of a level: by its shares, and the bounds of lending and borrowing.
struct SeatLimits {
  int nominal = 0, least = 0, most = 0;
  friend bool operator==(const SeatLimits&, const SeatLimits&) = default;
};

// Returns the limits of each level, of `seats` in all.
std::vector<SeatLimits> divide_seats(int seats, const std::vector<LevelSpec>& levels);

// What a level could use.
struct SeatDemand {
  double average = 0, deviation = 0, smoothed = 0;
  int most = 0;
};

// A level that seats are allocated to.
struct SeatClaim {
  double least = 0, most = 0, target = 0;
};
struct SeatAllocation {
  std::vector<double> seats;
  double fair_fraction = 0;
};

// Divides `sum` seats in proportion to the targets, within the bounds. Returns nullopt if the
// bounds leave no division.
std::optional<SeatAllocation> allocate_seats(int sum, const std::vector<SeatClaim>& claims);

}  // namespace tabernetes::server
