// How long a Job waits after pods failed: 10 s, doubled for each failure since the last success, at
// most 10 minutes. Source: upstream 1.36 pkg/controller/job/backoff_utils.go.
#pragma once

#include <optional>
#include <vector>

#include "json/value.h"
#include "tabernetes/time.h"

namespace tabernetes::controllers {

// Returns when the pod finished, by what its status tells.
Time finish_time(const json::Value& pod);

// Returns how much longer to wait after that many failures.
Duration remaining_backoff(int failures, Time last_failure, Time now);

// The failures of a Job since its last success.
class JobBackoff {
 public:
  // Returns the record after those pods finished.
  JobBackoff after(const std::vector<const json::Value*>& succeeded,
                   const std::vector<const json::Value*>& failed) const;
  Duration remaining(Time now) const { return remaining_backoff(failures_, last_failure_, now); }

 private:
  int failures_ = 0;
  Time last_failure_;
};

}  // namespace tabernetes::controllers
