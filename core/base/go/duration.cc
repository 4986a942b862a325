#include "base/go/duration.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/go/text.h"
#include "base/text/ascii.h"

namespace tabernetes {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t nanoseconds;
};

constexpr Unit kUnits[] = {
    {"ns", 1},          {"us", 1'000},        {"\u00b5s", 1'000},  // micro sign
    {"\u03bcs", 1'000},                                            // Greek mu
    {"ms", 1'000'000},  {"s", 1'000'000'000}, {"m", 60'000'000'000}, {"h", 3'600'000'000'000},
};

constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();

// A decimal number, parsed and removed from the front of `rest`.
struct Number {
  std::uint64_t whole = 0;
  std::uint64_t fraction = 0;
  double scale = 1;  // divisor of the fraction
  bool any_digit = false;
  bool overflow = false;
};

Number take_number(std::string_view& rest) {
  Number number;
  auto take = [&] {
    const char c = rest.front();
    rest.remove_prefix(1);
    number.any_digit = true;
    return static_cast<std::uint64_t>(c - '0');
  };
  while (!rest.empty() && is_digit(rest.front())) {
    const std::uint64_t digit = take();
    if (number.whole > kMost / 10) number.overflow = true;
    if (!number.overflow) number.whole = number.whole * 10 + digit;
  }
  if (rest.empty() || rest.front() != '.') return number;
  rest.remove_prefix(1);
  while (!rest.empty() && is_digit(rest.front())) {
    const std::uint64_t digit = take();
    if (number.fraction > kMost / 10) continue;  // further digits no longer change the result
    number.fraction = number.fraction * 10 + digit;
    number.scale *= 10;
  }
  return number;
}

std::string_view take_unit(std::string_view& rest) {
  std::size_t end = 0;
  while (end < rest.size() && rest[end] != '.' && !is_digit(rest[end])) ++end;
  const std::string_view unit = rest.substr(0, end);
  rest.remove_prefix(end);
  return unit;
}

const Unit* find_unit(std::string_view name) {
  for (const Unit& unit : kUnits) {
    if (unit.name == name) return &unit;
  }
  return nullptr;
}

}  // namespace

GoDuration go_parse_duration(std::string_view text) {
  const auto invalid = [&] { return GoDuration{{}, "time: invalid duration " + go_quote(text)}; };
  std::string_view rest = text;
  bool negative = false;
  if (!rest.empty() && (rest.front() == '-' || rest.front() == '+')) {
    negative = rest.front() == '-';
    rest.remove_prefix(1);
  }
  if (rest == "0") return {};
  if (rest.empty()) return invalid();
  std::uint64_t total = 0;
  while (!rest.empty()) {
    const Number number = take_number(rest);
    if (!number.any_digit || number.overflow) return invalid();
    const std::string_view name = take_unit(rest);
    if (name.empty()) return {{}, "time: missing unit in duration " + go_quote(text)};
    const Unit* unit = find_unit(name);
    if (unit == nullptr) {
      return {{}, "time: unknown unit " + go_quote(name) + " in duration " + go_quote(text)};
    }
    if (number.whole > kMost / unit->nanoseconds) return invalid();
    std::uint64_t span = number.whole * unit->nanoseconds;
    span += static_cast<std::uint64_t>(static_cast<double>(number.fraction) *
                                       (static_cast<double>(unit->nanoseconds) / number.scale));
    if (span > kMost || total + span > kMost) return invalid();
    total += span;
  }
  const auto signed_total = static_cast<std::int64_t>(total);
  return {Duration{negative ? -signed_total : signed_total}, {}};
}

std::optional<Duration> parse_duration(std::string_view text) {
  const GoDuration parsed = go_parse_duration(text);
  return parsed.error.empty() ? std::optional(parsed.value) : std::nullopt;
}

std::string go_duration_text(Duration span) {
  if (span.nanoseconds == 0) return "0s";
  if (span.nanoseconds < 0) {
    // The least number has no positive counterpart; no caller has it.
    return "-" + go_duration_text({-std::max(span.nanoseconds, -INT64_MAX)});
  }
  const auto with_fraction = [](std::int64_t count, std::int64_t unit, std::string_view name) {
    std::string rest = std::to_string(unit + count % unit).substr(1);
    while (rest.ends_with('0')) rest.pop_back();
    return std::to_string(count / unit) + (rest.empty() ? "" : "." + rest) + std::string(name);
  };
  const std::int64_t whole = span.nanoseconds;
  if (whole < 1'000) return std::to_string(whole) + "ns";
  if (whole < 1'000'000) return with_fraction(whole, 1'000, "\u00b5s");
  if (whole < 1'000'000'000) return with_fraction(whole, 1'000'000, "ms");
  constexpr std::int64_t kMinute = 60'000'000'000, kHour = 60 * kMinute;
  std::string text;
  if (whole >= kHour) text += std::to_string(whole / kHour) + "h";
  if (whole >= kMinute) text += std::to_string(whole % kHour / kMinute) + "m";
  return text + with_fraction(whole % kMinute, 1'000'000'000, "s");
}

}  // namespace tabernetes
