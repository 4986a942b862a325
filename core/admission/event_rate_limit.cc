// EventRateLimit: refuses events beyond the configured rates. Source: upstream 1.36
// plugin/pkg/admission/eventratelimit. A request that waits for webhooks counts each time it is
// done.

#include <algorithm>
#include <string>
#include <vector>

#include "admission/event_limits.h"
#include "admission/plugin_state.h"
#include "admission/plugins.h"
#include "base/go/text.h"
#include "json/access.h"
#include "registry/kind/write_context.h"

namespace tabernetes::admission {
namespace {

using json::Value;
using Type = EventLimit::Type;

constexpr int kTooManyRequests = 429;
constexpr double kNanosecondsOfSecond = 1e9;
constexpr std::string_view kTypes[] = {"Server", "Namespace", "User", "SourceAndObject"};

std::string source_and_object(const Value& event) {
  std::string key;
  for (const std::string_view part : {"component", "host"}) {
    key += text_at(event, {"source", part});
  }
  for (const std::string_view part : {"kind", "namespace", "name", "uid", "apiVersion"}) {
    key += text_at(event, {"involvedObject", part});
  }
  return key;
}

std::string key_of(Type type, const AdmissionRequest& request) {
  switch (type) {
    case Type::kNamespace:
      return std::string(request.ns);
    case Type::kUser:
      return request.context.user == nullptr ? std::string() : request.context.user->name;
    case Type::kSourceAndObject:
      return source_and_object(request.object);
    case Type::kServer:
      break;
  }
  return {};
}

}  // namespace

bool EventBuckets::take(std::string_view key, Time now) {
  const auto burst = static_cast<double>(limit_.burst);
  auto found = by_key_.find(key);
  if (found == by_key_.end()) {
    buckets_.push_front({std::string(key), burst, now});
    found = by_key_.emplace(buckets_.front().key, buckets_.begin()).first;
    if (limit_.type != Type::kServer && buckets_.size() > limit_.cache_size) {
      by_key_.erase(buckets_.back().key);
      buckets_.pop_back();
    }
  } else {
    buckets_.splice(buckets_.begin(), buckets_, found->second);
  }
  Bucket& bucket = *found->second;
  const auto passed = static_cast<double>(now.unix_nanoseconds - bucket.filled.unix_nanoseconds);
  const auto refill =
      std::max(passed, 0.0) / kNanosecondsOfSecond * static_cast<double>(limit_.per_second);
  bucket.tokens = std::min(burst, bucket.tokens + refill);
  bucket.filled = now;
  if (bucket.tokens < 1) return false;
  bucket.tokens -= 1;
  return true;
}

Result<void> check_event_rate(const AdmissionRequest& request, PluginState& state) {
  if (request.context.dry_run) return {};
  std::vector<std::string> reached;
  for (EventBuckets& buckets : state.event_buckets) {
    const Type type = buckets.limit().type;
    const std::string key = key_of(type, request);
    if (buckets.take(key, request.context.now)) continue;
    reached.push_back("limit reached on type " +
                      std::string(kTypes[static_cast<std::size_t>(type)]) + " for key " + key);
  }
  if (reached.empty()) return {};
  ApiStatus status;
  status.code = kTooManyRequests;
  status.reason = "TooManyRequests";
  status.message = "Too many requests: " + go_aggregate(reached);
  return status;
}

}  // namespace tabernetes::admission
