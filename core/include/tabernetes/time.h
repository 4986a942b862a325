// Time as the core knows it: a value that the host passes in. The core reads no clock.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tabernetes {

// A span of time in nanoseconds; may be negative.
struct Duration {
  std::int64_t nanoseconds = 0;

  static constexpr Duration from_seconds(std::int64_t s) { return {s * 1'000'000'000}; }
  static constexpr Duration from_milliseconds(std::int64_t ms) { return {ms * 1'000'000}; }
  constexpr double seconds() const { return static_cast<double>(nanoseconds) / 1e9; }
  friend constexpr bool operator==(Duration a, Duration b) {
    return a.nanoseconds == b.nanoseconds;
  }
  friend constexpr bool operator<(Duration a, Duration b) { return a.nanoseconds < b.nanoseconds; }
};

// A point in time: nanoseconds since 1970-01-01T00:00:00Z. Good until the year 2262.
struct Time {
  std::int64_t unix_nanoseconds = 0;

  static constexpr Time from_unix_milliseconds(std::int64_t ms) { return {ms * 1'000'000}; }
  constexpr std::int64_t unix_seconds() const {
    const std::int64_t s = unix_nanoseconds / 1'000'000'000;
    return unix_nanoseconds % 1'000'000'000 < 0 ? s - 1 : s;
  }
  friend constexpr bool operator==(Time a, Time b) {
    return a.unix_nanoseconds == b.unix_nanoseconds;
  }
  friend constexpr bool operator!=(Time a, Time b) { return !(a == b); }
  friend constexpr bool operator<(Time a, Time b) {
    return a.unix_nanoseconds < b.unix_nanoseconds;
  }
  friend constexpr bool operator>(Time a, Time b) { return b < a; }
  friend constexpr bool operator<=(Time a, Time b) { return !(b < a); }
  friend constexpr bool operator>=(Time a, Time b) { return !(a < b); }
  friend constexpr Time operator+(Time t, Duration d) {
    return {t.unix_nanoseconds + d.nanoseconds};
  }
  friend constexpr Duration operator-(Time a, Time b) {
    return {a.unix_nanoseconds - b.unix_nanoseconds};
  }
};

// Reads a span as Go writes them: "90s", "1h30m", "1.5s". Nothing if it is none.
std::optional<Duration> parse_duration(std::string_view text);

}  // namespace tabernetes
