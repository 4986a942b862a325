// Token buckets for the plugin EventRateLimit. Source: upstream 1.36
// plugin/pkg/admission/eventratelimit; golang.org/x/time/rate.
#pragma once

#include <list>
#include <string>
#include <string_view>
#include <unordered_map>

#include "admission/plugin_settings.h"
#include "tabernetes/time.h"

namespace tabernetes::admission {

// The buckets of one limit, by key. The one that was used longest ago goes when there are too many.
class EventBuckets {
 public:
  explicit EventBuckets(const EventLimit& limit) : limit_(limit) {}
  EventBuckets(EventBuckets&&) = default;

  const EventLimit& limit() const { return limit_; }
  // Takes a token from the bucket of `key`; returns false if there is none.
  bool take(std::string_view key, Time now);

 private:
  struct Bucket {
    std::string key;
    double tokens;
    Time filled;
  };

  EventLimit limit_;
  std::list<Bucket> buckets_;  // the last used one first
  std::unordered_map<std::string_view, std::list<Bucket>::iterator> by_key_;
};

}  // namespace tabernetes::admission
