// When a CronJob is to start a Job. Source: upstream 1.36 pkg/controller/cronjob/utils.go.
#pragma once

#include <optional>
#include <string>

#include "base/time/cron_schedule.h"
#include "json/value.h"
#include "tabernetes/time.h"

namespace tabernetes::controllers {

class CronJobSchedule {
 public:
  // Reads the schedule and its time zone; nullopt if it is none, with the message in `error`.
  static std::optional<CronJobSchedule> read(const json::Value& cron_job, std::string& error);

  struct Due {
    std::optional<Time> time;  // the last time that was missed; nullopt: none
    bool too_many = false;     // more than 100 times were missed
    std::string error;
  };
  // Returns what should have been started by now.
  Due due(const json::Value& cron_job, Time now) const;
  // Returns when to look again.
  std::optional<Time> next(const json::Value& cron_job, Time now) const;

 private:
  struct Recent {
    Time earliest;
    std::optional<Time> time;
    enum class Missed { kNone, kFew, kMany } missed = Missed::kNone;
    std::string error;
  };
  Recent most_recent(const json::Value& cron_job, Time now, bool with_deadline) const;
  std::optional<Time> after(Time time) const;

  CronSchedule schedule_;
  std::string zone_;
};

}  // namespace tabernetes::controllers
