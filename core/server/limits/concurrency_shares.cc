#include "server/limits/concurrency_shares.h"

#include <algorithm>
#include <cmath>

#include "base/algorithm/sort.h"

namespace tabernetes::server {
namespace {

constexpr double kLeastTarget = 0.001;
constexpr double kAlmost = 1e-7;

int percent_of(int seats, int percent) {
  return static_cast<int>(std::round(static_cast<double>(seats) * percent / 100));
}

double seats_at(const SeatClaim& claim, double fraction) {
  return std::max(claim.least, std::min(claim.most, fraction * claim.target));
}

double sum_at(const std::vector<SeatClaim>& claims, double fraction) {
  double sum = 0;
  for (const SeatClaim& claim : claims) sum += seats_at(claim, fraction);
  return sum;
}

// Returns the fraction of the targets at which the seats add up to `sum`: between two bounds the
// sum grows in a straight line.
double fraction_for(double sum, const std::vector<SeatClaim>& claims) {
  std::vector<double> bounds;
  for (const SeatClaim& claim : claims) {
    bounds.push_back(claim.least / claim.target);
    bounds.push_back(claim.most / claim.target);
  }
  sort_stable(bounds);
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
    const double low = sum_at(claims, bounds[i]), high = sum_at(claims, bounds[i + 1]);
    if (high < sum) continue;
    if (high - low < kAlmost) return bounds[i];
    return bounds[i] + (bounds[i + 1] - bounds[i]) * (sum - low) / (high - low);
  }
  return bounds.empty() ? 0 : bounds.back();
}

}  // namespace

std::vector<SeatLimits> divide_seats(int seats, const std::vector<LevelSpec>& levels) {
  double shares = 0;
  for (const LevelSpec& level : levels) shares += level.shares;
  std::vector<SeatLimits> all;
  for (const LevelSpec& level : levels) {
    const double part = shares == 0 ? 0 : static_cast<double>(seats) * level.shares / shares;
    const int nominal = static_cast<int>(std::ceil(part));
    const int borrowed =
        level.borrowing_percent ? percent_of(nominal, *level.borrowing_percent) : seats;
    all.push_back(
        {nominal, nominal - percent_of(nominal, level.lendable_percent), nominal + borrowed});
  }
  return all;
}

std::optional<SeatAllocation> allocate_seats(int sum, const std::vector<SeatClaim>& claims) {
  std::vector<SeatClaim> bounded = claims;
  double least = 0, most = 0;
  for (SeatClaim& claim : bounded) {
    if (claim.least < 0 || claim.target < claim.least || claim.most < claim.least) {
      return std::nullopt;
    }
    claim.target = std::max(claim.target, kLeastTarget);
    least += claim.least;
    most += claim.most;
  }
  const double wanted = sum;
  if (sum < 0 || least - wanted > kAlmost || wanted - most > kAlmost) return std::nullopt;
  SeatAllocation allocation;
  if (sum == 0) {
    allocation.seats.resize(claims.size());
    return allocation;
  }
  allocation.fair_fraction = fraction_for(wanted, bounded);
  for (const SeatClaim& claim : bounded) {
    allocation.seats.push_back(seats_at(claim, allocation.fair_fraction));
  }
  return allocation;
}

}  // namespace tabernetes::server
