#include "time_text.h"

#include <charconv>
#include <chrono>
#include <cstdio>

namespace tabernetes::host {
namespace {

// Removes `digits` digits from the front of `text`. Returns nullopt if they are not there.
std::optional<int> take_number(std::string_view& text, std::size_t digits) {
  if (text.size() < digits) return std::nullopt;
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + digits, value);
  if (error != std::errc() || end != text.data() + digits || value < 0) return std::nullopt;
  text.remove_prefix(digits);
  return value;
}

bool take(std::string_view& text, char expected) {
  if (text.empty() || text.front() != expected) return false;
  text.remove_prefix(1);
  return true;
}

// Removes ".123" from the front and returns it as nanoseconds; 0 without a fraction.
std::optional<std::int64_t> take_fraction(std::string_view& text) {
  if (!take(text, '.')) return 0;
  std::int64_t nanoseconds = 0;
  std::int64_t unit = 100'000'000;
  std::size_t digits = 0;
  for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
    nanoseconds += (text[digits] - '0') * unit;
    unit /= 10;
  }
  text.remove_prefix(digits);
  if (digits == 0) return std::nullopt;
  return nanoseconds;
}

// Removes "Z" or "+01:00" from the front and returns it as seconds east of UTC.
std::optional<int> take_zone(std::string_view& text) {
  if (take(text, 'Z')) return 0;
  const int sign = take(text, '+') ? 1 : take(text, '-') ? -1 : 0;
  const auto hours = take_number(text, 2);
  if (sign == 0 || !hours || !take(text, ':')) return std::nullopt;
  const auto minutes = take_number(text, 2);
  if (!minutes || *hours > 23 || *minutes > 59) return std::nullopt;
  return sign * (*hours * 3600 + *minutes * 60);
}

// Returns `number` with its last `digits` digits after a decimal point, without trailing zeros.
std::string with_fraction(std::int64_t number, std::size_t digits) {
  std::int64_t unit = 1;
  for (std::size_t i = 0; i < digits; ++i) unit *= 10;
  std::string fraction = std::to_string(unit + number % unit);
  fraction[0] = '.';  // overwrites the leading 1 of `unit`
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return std::to_string(number / unit) + (fraction == "." ? "" : fraction);
}

}  // namespace

std::optional<Time> parse_rfc3339(std::string_view text) {
  const auto year = take_number(text, 4);
  if (!year || !take(text, '-')) return std::nullopt;
  const auto month = take_number(text, 2);
  if (!month || !take(text, '-')) return std::nullopt;
  const auto day = take_number(text, 2);
  if (!day || !take(text, 'T')) return std::nullopt;
  const auto hour = take_number(text, 2);
  if (!hour || !take(text, ':')) return std::nullopt;
  const auto minute = take_number(text, 2);
  if (!minute || !take(text, ':')) return std::nullopt;
  const auto second = take_number(text, 2);
  if (!second || *hour > 23 || *minute > 59 || *second > 59) return std::nullopt;
  const auto fraction = take_fraction(text);
  if (!fraction) return std::nullopt;
  const auto zone = take_zone(text);
  if (!zone || !text.empty()) return std::nullopt;

  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  // Nanoseconds in 64 bits range from 1677 to 2262.
  if (!date.ok() || *year < 1678 || *year > 2261) return std::nullopt;
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  const std::int64_t seconds = days * 86400 + *hour * 3600 + *minute * 60 + *second - *zone;
  return Time{seconds * 1'000'000'000 + *fraction};
}

std::string http_date(Time time) {
  static constexpr const char* kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::chrono::sys_seconds seconds{std::chrono::seconds(time.unix_seconds())};
  const auto midnight = std::chrono::floor<std::chrono::days>(seconds);
  const std::chrono::year_month_day date(midnight);
  const std::chrono::hh_mm_ss clock(seconds - midnight);
  char text[40];
  std::snprintf(text, sizeof text, "%s, %02u %s %04d %02d:%02d:%02d GMT",
                kDays[std::chrono::weekday(midnight).c_encoding()],
                static_cast<unsigned>(date.day()), kMonths[static_cast<unsigned>(date.month()) - 1],
                static_cast<int>(date.year()), static_cast<int>(clock.hours().count()),
                static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return text;
}

std::string go_duration(std::chrono::nanoseconds span) {
  const std::int64_t all = span.count();
  if (all == 0) return "0s";
  if (all < 1'000) return std::to_string(all) + "ns";
  if (all < 1'000'000) return with_fraction(all, 3) + "µs";
  if (all < 1'000'000'000) return with_fraction(all, 6) + "ms";
  constexpr std::int64_t kMinute = 60'000'000'000;
  const std::int64_t minutes = all / kMinute;
  std::string seconds = with_fraction(all % kMinute, 9) + "s";
  if (minutes == 0) return seconds;
  if (minutes < 60) return std::to_string(minutes) + "m" + seconds;
  return std::to_string(minutes / 60) + "h" + std::to_string(minutes % 60) + "m" + seconds;
}

}  // namespace tabernetes::host
