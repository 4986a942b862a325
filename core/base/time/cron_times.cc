#include "base/time/cron_times.h"

#include "base/time/calendar.h"
#include "base/time/time_zone.h"

namespace tabernetes {
namespace {

constexpr std::int64_t kMinuteSeconds = 60, kHourSeconds = 3600, kDaySeconds = 86400;
constexpr std::int64_t kSecondNanoseconds = 1'000'000'000;

// A moment as a clock in a zone shows it.
struct Clock {
  std::int64_t instant = 0;  // seconds
  Date date{};
  std::int64_t second_of_day = 0;
  int weekday = 0;  // 0: Sunday

  int hour() const { return static_cast<int>(second_of_day / kHourSeconds); }
  int minute() const { return static_cast<int>(second_of_day % kHourSeconds / kMinuteSeconds); }
};

std::int64_t floor_quotient(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

class Zone {
 public:
  explicit Zone(std::string_view name) : name_(name) {}

  Clock at(std::int64_t instant) const {
    const std::int64_t local = instant + offset(instant);
    const std::int64_t days = floor_quotient(local, kDaySeconds);
    // 1970-01-01 was a Thursday.
    const std::int64_t weekday = ((days + 4) % 7 + 7) % 7;
    return {instant, date_from_days(days), local - days * kDaySeconds, static_cast<int>(weekday)};
  }
  // Returns the moment at which the clock shows that many seconds after a day's midnight. Of a
  // time that is skipped or comes twice, the one that Go chooses.
  Clock at(std::int64_t days, std::int64_t second_of_day) const {
    const std::int64_t local = days * kDaySeconds + second_of_day;
    const std::int64_t guess = offset(local);
    return at(local - offset(local - guess));
  }

 private:
  std::int64_t offset(std::int64_t instant) const {
    return time_zone_offset(name_, instant).value_or(0);
  }

  std::string_view name_;
};

bool has_bit(std::uint64_t bits, int number) { return (bits >> number & 1) != 0; }

bool day_matches(const CronSchedule& schedule, const Clock& clock) {
  const bool day = has_bit(schedule.days, clock.date.day);
  const bool weekday = has_bit(schedule.weekdays, clock.weekday);
  return schedule.any_day || schedule.any_weekday ? day && weekday : day || weekday;
}

Clock first_of_next_month(const Zone& zone, const Clock& clock) {
  Date date{clock.date.year, clock.date.month + 1, 1};
  if (date.month > 12) date = {clock.date.year + 1, 1, 1};
  return zone.at(days_from_date(date), 0);
}

// Returns the next midnight, or the first hour of a day that has none.
Clock next_day(const Zone& zone, const Clock& clock) {
  const Clock next = zone.at(days_from_date(clock.date) + 1, 0);
  if (next.hour() == 0) return next;
  const std::int64_t hours = next.hour() > 12 ? 24 - next.hour() : -next.hour();
  return zone.at(next.instant + hours * kHourSeconds);
}

// Returns the first moment that matches, from `clock` on, which is on a full second.
std::optional<Clock> first_match(const CronSchedule& schedule, const Zone& zone, Clock clock) {
  const std::int64_t last_year = clock.date.year + 5;
  // Each step goes to the begin of the next month, day, hour or minute; then all are looked at
  // again.
  while (clock.date.year <= last_year) {
    if (!has_bit(schedule.months, clock.date.month)) {
      clock = first_of_next_month(zone, clock);
    } else if (!day_matches(schedule, clock)) {
      clock = next_day(zone, clock);
    } else if (!has_bit(schedule.hours, clock.hour())) {
      clock = zone.at(clock.instant - clock.second_of_day % kHourSeconds + kHourSeconds);
    } else if (!has_bit(schedule.minutes, clock.minute()) ||
               clock.second_of_day % kMinuteSeconds != 0) {
      clock = zone.at(clock.instant - clock.second_of_day % kMinuteSeconds + kMinuteSeconds);
    } else {
      return clock;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Time> next_cron_time(const CronSchedule& schedule, std::string_view zone,
                                   Time after) {
  const std::int64_t second = after.unix_seconds();
  if (schedule.every_seconds > 0)
    return Time{(second + schedule.every_seconds) * kSecondNanoseconds};
  const Zone place(zone);
  const auto found = first_match(schedule, place, place.at(second + 1));
  if (!found) return std::nullopt;
  return Time{found->instant * kSecondNanoseconds};
}

}  // namespace tabernetes
