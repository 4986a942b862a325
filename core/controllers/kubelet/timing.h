// How long a kubelet waits, and how it prints that.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "json/value.h"
#include "tabernetes/time.h"

namespace tabernetes::controllers::kubelet {

// Until a pod has its network, at most.
inline constexpr Duration kSandbox = Duration::from_milliseconds(300);
// By how much that varies.
inline constexpr Duration kSandboxSpread = Duration::from_milliseconds(60);
// Until a kubelet notices that a container has ended.
inline constexpr Duration kRelist = Duration::from_seconds(1);
// A container that has run this long has no back-off.
inline constexpr Duration kBackOffEnds = Duration::from_seconds(600);
// What a container gets in any case between SIGTERM and SIGKILL.
inline constexpr Duration kLeastGrace = Duration::from_seconds(2);

// Longer spans of users count as this: sums of a few stay within the range of times.
inline constexpr std::int64_t kMostSeconds = 1'000'000'000;
inline Duration bounded_seconds(std::int64_t seconds) {
  return Duration::from_seconds(seconds < 0 ? 0 : seconds > kMostSeconds ? kMostSeconds : seconds);
}

// Returns 10 s, 20 s, 40 s … up to 5 min for `attempt` 0, 1, 2 …
Duration back_off(std::int64_t attempt);

// Returns how long the pod with that uid takes to have its network: pods that are bound in one
// moment do not get ready in one.
Duration sandbox_time(std::string_view uid);

// Prints as Go prints durations, to the millisecond: "1.2s", "700ms", "2m40s".
std::string go_text(Duration duration);

// Returns how long a healthy container takes until its probe (null: it has none) has succeeded.
Duration probe_time(const json::Value* probe);

// Returns how long a container that is no longer healthy takes until its probe has failed.
Duration probe_patience(const json::Value* probe);

inline Duration operator+(Duration a, Duration b) {
  return {saturating_add(a.nanoseconds, b.nanoseconds)};
}

}  // namespace tabernetes::controllers::kubelet
