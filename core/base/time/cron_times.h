// The times of a cron schedule. Source: github.com/robfig/cron v3 spec.go (Next), Go's time.Date.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/time/cron_schedule.h"
#include "tabernetes/time.h"

namespace tabernetes {

// Returns the first time after `after` that the schedule matches in the zone, or nullopt if there
// is none in five years. REQUIRES: there is such a zone.
std::optional<Time> next_cron_time(const CronSchedule& schedule, std::string_view zone, Time after);

}  // namespace tabernetes
