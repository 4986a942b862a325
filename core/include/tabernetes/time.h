// Time as the core knows it: a value that the host passes in. The core reads no clock.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace tabernetes {

// Sums and products of nanoseconds: what is too much for 64 bits becomes the largest or smallest
// number, as Go's Time.Sub does it.
constexpr std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b < 0 ? std::numeric_limits<std::int64_t>::min()
               : std::numeric_limits<std::int64_t>::max();
}
constexpr std::int64_t saturating_subtract(std::int64_t a, std::int64_t b) {
  std::int64_t difference = 0;
  if (!__builtin_sub_overflow(a, b, &difference)) return difference;
  return b > 0 ? std::numeric_limits<std::int64_t>::min()
               : std::numeric_limits<std::int64_t>::max();
}
constexpr std::int64_t saturating_multiply(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  return (a < 0) != (b < 0) ? std::numeric_limits<std::int64_t>::min()
                            : std::numeric_limits<std::int64_t>::max();
}

// A span of time in nanoseconds; may be negative.
struct Duration {
  std::int64_t nanoseconds = 0;

  static constexpr Duration from_seconds(std::int64_t s) {
    return {saturating_multiply(s, 1'000'000'000)};
  }
  static constexpr Duration from_milliseconds(std::int64_t ms) {
    return {saturating_multiply(ms, 1'000'000)};
  }
  constexpr double seconds() const { return static_cast<double>(nanoseconds) / 1e9; }
  friend constexpr bool operator==(Duration a, Duration b) {
    return a.nanoseconds == b.nanoseconds;
  }
  friend constexpr bool operator<(Duration a, Duration b) { return a.nanoseconds < b.nanoseconds; }
};

// A point in time: nanoseconds since 1970-01-01T00:00:00Z. Good until the year 2262.
struct Time {
  std::int64_t unix_nanoseconds = 0;

  static constexpr Time from_unix_milliseconds(std::int64_t ms) {
    return {saturating_multiply(ms, 1'000'000)};
  }
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
    return {saturating_add(t.unix_nanoseconds, d.nanoseconds)};
  }
  friend constexpr Duration operator-(Time a, Time b) {
    return {saturating_subtract(a.unix_nanoseconds, b.unix_nanoseconds)};
  }
};

// Reads a span as Go writes them: "90s", "1h30m", "1.5s". Nothing if it is none.
std::optional<Duration> parse_duration(std::string_view text);

}  // namespace tabernetes
