#include "controllers/autoscaling/scale_limits.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "json/access.h"

namespace tabernetes::controllers {
namespace {

using json::Value;
using Entries = std::vector<ScaleHistory::Entry>;

constexpr std::int64_t kDownWindowSeconds = 300;
// No window and no period of a policy is longer.
constexpr Duration kLongestWindow = Duration::from_seconds(3600);

constexpr std::string_view kWithinRange = "the desired count is within the acceptable range";
constexpr std::string_view kTooFast =
    "the desired replica count is increasing faster than the maximum scale rate";
constexpr std::string_view kTooMany =
    "the desired replica count is more than the maximum replica count";
constexpr std::string_view kTooFew =
    "the desired replica count is less than the minimum replica count";

void forget_old(Entries& entries, Time now) {
  std::erase_if(
      entries, [&](const ScaleHistory::Entry& entry) { return entry.time + kLongestWindow < now; });
}

struct Stabilized {
  std::int64_t replicas;
  std::string_view reason, message;
};

// Returns the seconds of a window of `rules`.
std::int64_t window_of(const Value& behaviour, std::string_view rules, std::int64_t unset) {
  const Value* seconds = behaviour.at({rules, "stabilizationWindowSeconds"});
  return seconds != nullptr && seconds->is_int() ? seconds->as_int() : unset;
}

// Keeps the replicas between the lowest recent recommendation that would be more, and the highest
// that would be less.
Stabilized stabilize(const ScaleWish& wish, const Value* behaviour, Time now,
                     const Entries& recommendations) {
  std::int64_t up = wish.desired, down = wish.desired;
  const std::int64_t up_seconds = behaviour == nullptr ? 0 : window_of(*behaviour, "scaleUp", 0);
  const std::int64_t down_seconds = behaviour == nullptr
                                        ? kDownWindowSeconds
                                        : window_of(*behaviour, "scaleDown", kDownWindowSeconds);
  for (const ScaleHistory::Entry& entry : recommendations) {
    if (now < entry.time + Duration::from_seconds(up_seconds)) up = std::min(up, entry.replicas);
    const Time over = entry.time + Duration::from_seconds(down_seconds);
    // As upstream, the end of the usual window counts, that of a behaviour's does not.
    if (now < over || (behaviour == nullptr && now == over)) {
      down = std::max(down, entry.replicas);
    }
  }
  Stabilized result{down, "ScaleDownStabilized",
                    "recent recommendations were higher than current one, applying the highest "
                    "recent recommendation"};
  if (behaviour == nullptr) return result;
  result.replicas = std::min(std::max(wish.current, up), down);
  if (wish.desired >= wish.current) {
    result.reason = "ScaleUpStabilized";
    result.message =
        "recent recommendations were lower than current one, applying the lowest recent "
        "recommendation";
  }
  return result;
}

std::int64_t changed_since(const Entries& entries, Time since) {
  std::int64_t sum = 0;
  for (const ScaleHistory::Entry& entry : entries) {
    if (since < entry.time) sum += entry.replicas;
  }
  return sum;
}

// Returns how many replicas the policies of `rules` allow.
std::int64_t policy_limit(const ScaleWish& wish, const Value& behaviour, bool up, Time now,
                          const ScaleHistory& history) {
  const std::string_view rules = up ? "scaleUp" : "scaleDown";
  const std::string_view select = text_at(behaviour, {rules, "selectPolicy"});
  if (select == "Disabled") return wish.current;
  const bool most_change = select != "Min";
  const bool takes_greatest = up == most_change;
  std::int64_t limit = takes_greatest ? std::numeric_limits<std::int32_t>::min()
                                      : std::numeric_limits<std::int32_t>::max();
  for (const Value& policy : items_at(behaviour, {rules, "policies"})) {
    const Time since = now + Duration::from_seconds(-number_at(policy, {"periodSeconds"}));
    const std::int64_t start =
        wish.current - changed_since(history.ups, since) + changed_since(history.downs, since);
    const std::int64_t value = number_at(policy, {"value"});
    std::int64_t proposed = up ? start + value : start - value;
    if (policy.string_at("type") == "Percent") {
      const double share = static_cast<double>(value) / 100;
      proposed = up ? static_cast<std::int64_t>(std::ceil(static_cast<double>(start) * (1 + share)))
                    : static_cast<std::int64_t>(static_cast<double>(start) * (1 - share));
    }
    limit = takes_greatest ? std::max(limit, proposed) : std::min(limit, proposed);
  }
  return limit;
}

struct Limited {
  std::int64_t replicas;
  std::string_view reason = "DesiredWithinRange", message = kWithinRange;
};

Limited limited_by_policies(const ScaleWish& wish, const Value& behaviour, Time now,
                            const ScaleHistory& history) {
  if (wish.desired > wish.current) {
    const std::int64_t allowed =
        std::max(policy_limit(wish, behaviour, true, now, history), wish.current);
    const bool slow = wish.most > allowed;
    const std::int64_t limit = std::min(wish.most, allowed);
    if (wish.desired > limit) {
      return slow ? Limited{limit, "ScaleUpLimit", kTooFast}
                  : Limited{limit, "TooManyReplicas", kTooMany};
    }
  } else if (wish.desired < wish.current) {
    const std::int64_t allowed =
        std::min(policy_limit(wish, behaviour, false, now, history), wish.current);
    const bool slow = wish.least < allowed;
    const std::int64_t limit = std::max(wish.least, allowed);
    if (wish.desired < limit) {
      return slow ? Limited{limit, "ScaleDownLimit",
                            "the desired replica count is decreasing faster than the maximum "
                            "scale rate"}
                  : Limited{limit, "TooFewReplicas", kTooFew};
    }
  }
  return {wish.desired};
}

// Without a behaviour: at most twice as many, or four.
Limited limited_as_usual(const ScaleWish& wish) {
  const std::int64_t allowed = std::max<std::int64_t>(2 * wish.current, 4);
  if (wish.desired < wish.least) return {wish.least, "TooFewReplicas", kTooFew};
  if (wish.desired > std::min(wish.most, allowed)) {
    return wish.most > allowed ? Limited{allowed, "ScaleUpLimit", kTooFast}
                               : Limited{wish.most, "TooManyReplicas", kTooMany};
  }
  return {wish.desired};
}

}  // namespace

void ScaleHistory::note(std::int64_t before, std::int64_t after, Time now) {
  forget_old(ups, now);
  forget_old(downs, now);
  if (after > before) {
    ups.push_back({now, after - before});
  } else {
    downs.push_back({now, before - after});
  }
}

LimitedScale limit_scale(const ScaleWish& wish, const Value* behaviour, Time now,
                         ScaleHistory& history) {
  const Stabilized stabilized = stabilize(wish, behaviour, now, history.recommendations);
  forget_old(history.recommendations, now);
  history.recommendations.push_back({now, wish.desired});
  LimitedScale scale;
  if (stabilized.replicas == wish.desired) {
    scale.able_reason = "ReadyForNewScale";
    scale.able_message = "recommended size matches current size";
  } else {
    scale.able_reason = stabilized.reason;
    scale.able_message = stabilized.message;
  }
  ScaleWish stable = wish;
  stable.desired = stabilized.replicas;
  const Limited limited = behaviour == nullptr
                              ? limited_as_usual(stable)
                              : limited_by_policies(stable, *behaviour, now, history);
  scale.replicas = limited.replicas;
  scale.is_limited = limited.replicas != stable.desired;
  scale.limit_reason = limited.reason;
  scale.limit_message = limited.message;
  return scale;
}

}  // namespace tabernetes::controllers
