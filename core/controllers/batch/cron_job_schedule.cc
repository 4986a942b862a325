#include "controllers/batch/cron_job_schedule.h"

#include <algorithm>

#include "base/time/cron_times.h"
#include "controllers/shared/objects.h"
#include "json/access.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

// Jobs are started that long after their time, so that clocks which differ do not start one early.
constexpr Duration kScheduleDelta = Duration::from_milliseconds(100);

std::int64_t seconds_between(Time from, Time to) { return (to - from).nanoseconds / 1'000'000'000; }

// Returns the zone that the schedule itself names ("TZ=UTC 0 4 * * *"), or an empty text.
std::string zone_in(std::string_view schedule) {
  if (!schedule.starts_with("TZ=") && !schedule.starts_with("CRON_TZ=")) return {};
  const std::size_t begin = schedule.find('=') + 1;
  return std::string(schedule.substr(begin, schedule.find(' ') - begin));
}

}  // namespace

std::optional<CronJobSchedule> CronJobSchedule::read(const Value& cron_job, std::string& error) {
  const std::string_view text = text_at(cron_job, {"spec", "schedule"});
  const auto schedule = CronSchedule::parse(text, error);
  if (!schedule) return std::nullopt;
  CronJobSchedule read;
  read.schedule_ = *schedule;
  read.zone_ = zone_in(text);
  if (read.zone_.empty()) read.zone_ = text_at(cron_job, {"spec", "timeZone"});
  return read;
}

std::optional<Time> CronJobSchedule::after(Time time) const {
  return next_cron_time(schedule_, zone_, time);
}

CronJobSchedule::Recent CronJobSchedule::most_recent(const Value& cron_job, Time now,
                                                     bool with_deadline) const {
  Recent recent;
  recent.earliest = time_at(cron_job, {"metadata", "creationTimestamp"}).value_or(now);
  if (const auto last = time_at(cron_job, {"status", "lastScheduleTime"})) recent.earliest = *last;
  if (with_deadline && has(cron_job, {"spec", "startingDeadlineSeconds"})) {
    const std::int64_t seconds = number_at(cron_job, {"spec", "startingDeadlineSeconds"});
    // Longer than all of time is no limit.
    const std::int64_t limit = now.unix_seconds();
    recent.earliest =
        std::max(recent.earliest, now + Duration::from_seconds(-std::min(seconds, limit)));
  }
  const auto first = after(recent.earliest);
  if (first && now < *first) return recent;
  const auto second = first ? after(*first) : std::nullopt;
  if (second && now < *second) {
    recent.time = *first;
    return recent;
  }
  // Like upstream, from the distance of the first two it guesses how many were missed. A schedule
  // that never comes, such as one for the 31st of February, has none.
  const std::int64_t distance =
      second ? ((*second - *first).nanoseconds + 500'000'000) / 1'000'000'000 : 0;
  if (distance < 1) {
    recent.error = "time difference between two schedules is less than 1 second";
    return recent;
  }
  const std::int64_t missed = seconds_between(*first, now) / distance + 1;
  const Time from = *first + Duration::from_seconds((missed - 2) * distance);
  for (auto time = after(from); time && *time <= now; time = after(*time)) recent.time = time;
  recent.missed = missed > 100 ? Recent::Missed::kMany : Recent::Missed::kFew;
  return recent;
}

CronJobSchedule::Due CronJobSchedule::due(const Value& cron_job, Time now) const {
  const Recent recent = most_recent(cron_job, now, true);
  if (!recent.time || *recent.time > now) return {.error = recent.error};
  return {recent.time, recent.missed == Recent::Missed::kMany, recent.error};
}

std::optional<Time> CronJobSchedule::next(const Value& cron_job, Time now) const {
  const Recent recent = most_recent(cron_job, now, false);
  Time from = now;
  if (recent.error.empty()) {
    if (recent.time) {
      from = *recent.time;
    } else if (recent.missed == Recent::Missed::kNone) {
      from = recent.earliest;
    }
  }
  const auto next = after(from);
  if (!next) return std::nullopt;
  return *next + kScheduleDelta;
}

}  // namespace tabernetes::controllers
