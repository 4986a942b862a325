#include "server/limits/work_estimate.h"

#include <cmath>
#include <string_view>

namespace tabernetes::server {
namespace {

constexpr std::uint64_t kBytesPerSeat = 100'000;
// A list from the watch cache is encoded in pieces.
constexpr std::uint64_t kMostBytesFromCache = 1'000'000;
constexpr std::uint64_t kObjectsPerSeat = 100;
constexpr int kMostSeatsByCount = 10;
constexpr int kMostSeatsOfWrite = 10;
constexpr int kWatchesPerSeat = 10;
constexpr Duration kTimePerEvent = Duration::from_milliseconds(5);

int bounded(int most, int limit) { return most == 0 ? limit : std::min(most, limit); }

bool has_bad_number(const Query& query) {
  return !query.integer("limit") || !query.integer("timeoutSeconds");
}

// Returns whether a watch begins with the objects there are.
bool begins_with_objects(const Query& query) {
  const std::string_view version = query.get("resourceVersion");
  return query.boolean("sendInitialEvents").value_or(false) || version.empty() || version == "0";
}

// Returns whether a kube-apiserver answers a list from its watch cache, without past states.
bool is_from_cache(const Query& query, std::int64_t limit) {
  const std::string_view match = query.get("resourceVersionMatch");
  if (match == "NotOlderThan") return true;
  if (!match.empty() || !query.get("continue").empty()) return false;
  const std::string_view version = query.get("resourceVersion");
  return limit <= 0 || version.empty() || version == "0";
}

bool selects(const Query& query) {
  return !query.get("fieldSelector").empty() || !query.get("labelSelector").empty();
}

std::uint64_t divide_up(std::uint64_t number, std::uint64_t by) { return (number + by - 1) / by; }

// Returns the seats of a list of pages of `page` objects.
std::uint64_t seats_by_size(const ListWork& work, std::uint64_t page, bool from_cache) {
  const std::uint64_t stored = work.stored.records;
  std::uint64_t objects = page;
  if (work.one_object) {
    objects = 1;
  } else if (!from_cache && selects(work.query)) {
    objects = std::max(page, stored / 2);
  }
  const std::uint64_t bytes = objects * (work.stored.bytes / stored);
  return divide_up(from_cache ? std::min(bytes, kMostBytesFromCache) : bytes, kBytesPerSeat);
}

std::uint64_t seats_by_count(const ListWork& work, std::uint64_t page, bool from_cache) {
  const std::uint64_t stored = work.stored.records;
  if (work.one_object) return 1;
  if (from_cache) return divide_up(stored, kObjectsPerSeat);
  return divide_up(selects(work.query) ? stored + page : 2 * page, kObjectsPerSeat);
}

}  // namespace

SeatSeconds seats_for(double seats, Duration time) {
  constexpr double kNanoseconds = 1e9 / static_cast<double>(kSeatSecond);
  return static_cast<SeatSeconds>(
      std::llround(seats * static_cast<double>(time.nanoseconds) / kNanoseconds));
}

std::string seat_seconds_text(SeatSeconds work) {
  const bool negative = work < 0;
  const std::uint64_t size =
      negative ? 0 - static_cast<std::uint64_t>(work) : static_cast<std::uint64_t>(work);
  const auto unit = static_cast<std::uint64_t>(kSeatSecond);
  const std::string fraction = std::to_string(size % unit);
  return (negative ? "-" : "") + std::to_string(size / unit) + "." +
         std::string(8 - fraction.size(), '0') + fraction + "ss";
}

void WorkEstimate::narrow(int most) {
  if (final_seats <= most) return;
  constexpr double kNanoseconds = 1e9 / static_cast<double>(kSeatSecond);
  afterwards.nanoseconds =
      static_cast<std::int64_t>(static_cast<double>(final_work()) / most * kNanoseconds);
  final_seats = most;
}

int most_seats(const LevelSpec& level, int nominal_seats) {
  constexpr double kPart = 0.15;
  if (level.queues == 0) return 0;
  const int part = static_cast<int>(std::ceil(nominal_seats * kPart));
  return std::max(1, std::min(part, nominal_seats / std::max(1, level.hand_size)));
}

WorkEstimate estimate_list(const ListWork& work, int most) {
  const int limit_of_seats = bounded(most, work.by_size ? kMostSeats : kMostSeatsByCount);
  if (has_bad_number(work.query)) return {.initial_seats = limit_of_seats};
  if (work.watches && !begins_with_objects(work.query)) return {};
  if (work.stored.records == 0) return {};
  const std::int64_t limit = work.query.integer("limit")->value_or(0);
  const bool from_cache = work.watches || is_from_cache(work.query, limit);
  std::uint64_t page = work.stored.records;
  if (limit > 0) page = std::min(page, static_cast<std::uint64_t>(limit));
  const std::uint64_t seats =
      work.by_size ? seats_by_size(work, page, from_cache) : seats_by_count(work, page, from_cache);
  return {.initial_seats = static_cast<int>(
              std::clamp<std::uint64_t>(seats, 1, static_cast<std::uint64_t>(limit_of_seats)))};
}

WorkEstimate estimate_write(int watches, int most) {
  if (watches < kWatchesPerSeat) return {};
  WorkEstimate estimate{.final_seats = (watches + kWatchesPerSeat - 1) / kWatchesPerSeat,
                        .afterwards = kTimePerEvent};
  estimate.narrow(bounded(most, kMostSeatsOfWrite));
  return estimate;
}

}  // namespace tabernetes::server
