#include "server/limits/retry_after.h"

#include <algorithm>

namespace tabernetes::server {

void RetryAfter::note(Time now) {
  const std::int64_t second = now.unix_seconds();
  if (second == current_.at) {
    ++current_.refused;
    return;
  }
  past_.push_back(current_);
  const std::int64_t memory = std::min(2 * seconds_, kMost);
  std::erase_if(past_, [&](const Second& each) { return current_.at - each.at > memory; });
  current_ = {second, 1};
  judge();
}

void RetryAfter::judge() {
  std::int64_t refused = 0;
  for (const Second& each : past_) {
    if (current_.at - each.at <= seconds_ && each.at < current_.at) refused += each.refused;
  }
  if (current_.at - raised_ >= seconds_ && refused >= 3 * seconds_) {
    seconds_ = std::min(2 * seconds_, kMost);
    raised_ = current_.at;
  } else if (refused < seconds_ && seconds_ > 1) {
    --seconds_;
  }
}

}  // namespace tabernetes::server
