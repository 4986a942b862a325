#include "controllers/kubelet/timing.h"

#include <algorithm>

#include "json/access.h"

namespace tabernetes::controllers::kubelet {
namespace {

std::int64_t seconds_of(const json::Value& probe, std::string_view member, std::int64_t unset) {
  const json::Value* value = probe.find(member);
  return value != nullptr && value->is_int() ? value->as_int() : unset;
}

}  // namespace

Duration back_off(std::int64_t attempt) {
  const std::int64_t doubled = std::min<std::int64_t>(attempt, 5);
  return Duration::from_seconds(std::min<std::int64_t>(300, std::int64_t{10} << doubled));
}

Duration sandbox_time(std::string_view uid) {
  std::uint32_t hash = 2166136261U;
  for (const char c : uid) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  constexpr std::int64_t kMicrosecond = 1000;
  const std::int64_t less = hash % (kSandboxSpread.nanoseconds / kMicrosecond) * kMicrosecond;
  return {kSandbox.nanoseconds - less};
}

std::string go_text(Duration duration) {
  std::int64_t left = std::max<std::int64_t>(0, duration.nanoseconds / 1'000'000);
  if (left < 1000) return left == 0 ? "0s" : std::to_string(left) + "ms";
  const std::int64_t hours = left / 3'600'000, minutes = left / 60'000 % 60;
  left %= 60'000;
  std::string text;
  if (hours > 0) text += std::to_string(hours) + "h";
  if (hours > 0 || minutes > 0) text += std::to_string(minutes) + "m";
  text += std::to_string(left / 1000);
  if (left % 1000 != 0) {
    std::string fraction = std::to_string(1000 + left % 1000).substr(1);
    fraction.erase(fraction.find_last_not_of('0') + 1);
    text += "." + fraction;
  }
  return text + "s";
}

// A probe runs each period from the start on, but not before its initial delay is over.
Duration probe_time(const json::Value* probe) {
  if (probe == nullptr) return {};
  const std::int64_t period = std::max<std::int64_t>(1, seconds_of(*probe, "periodSeconds", 10));
  const std::int64_t delay = seconds_of(*probe, "initialDelaySeconds", 0);
  const std::int64_t needed = seconds_of(*probe, "successThreshold", 1);
  return bounded_seconds((delay + period - 1) / period * period + (needed - 1) * period);
}

Duration probe_patience(const json::Value* probe) {
  if (probe == nullptr) return Duration::from_seconds(30);
  const std::int64_t period = std::max<std::int64_t>(1, seconds_of(*probe, "periodSeconds", 10));
  return bounded_seconds(seconds_of(*probe, "failureThreshold", 3) * period);
}

}  // namespace tabernetes::controllers::kubelet
