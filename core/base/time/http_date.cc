// Tested by tests/core/base/http_date_test.cc.
#include "base/time/http_date.h"

#include <algorithm>
#include <cstdint>

#include "base/time/rfc3339.h"

namespace tabernetes {
namespace {

constexpr std::string_view kDayNames[] = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
constexpr std::string_view kMonthNames[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

}  // namespace

std::string format_http_date(Time time, std::string_view zone) {
  time.unix_nanoseconds = std::max<std::int64_t>(time.unix_nanoseconds, 0);
  const std::string text = format_rfc3339(time);  // 2006-01-02T15:04:05Z
  const std::size_t month = static_cast<std::size_t>((text[5] - '0') * 10 + (text[6] - '0'));
  std::string date(kDayNames[static_cast<std::size_t>(time.unix_seconds() / 86'400 % 7)]);
  date.append(", ").append(text, 8, 2).append(" ").append(kMonthNames[month - 1]);
  date.append(" ").append(text, 0, 4).append(" ").append(text, 11, 8);
  return date.append(" ").append(zone);
}

std::optional<Time> parse_http_date(std::string_view text) {
  if (text.size() != 29) return std::nullopt;
  const auto* month = std::find(std::begin(kMonthNames), std::end(kMonthNames), text.substr(8, 3));
  if (month == std::end(kMonthNames)) return std::nullopt;
  const int number = static_cast<int>(month - std::begin(kMonthNames)) + 1;
  std::string iso(text.substr(12, 4));
  iso.append(number < 10 ? "-0" : "-").append(std::to_string(number));
  iso.append("-").append(text.substr(5, 2)).append("T").append(text.substr(17, 8)).append("Z");
  const auto time = parse_rfc3339(iso);
  // Formatting it again must give the same text; this checks the weekday and the separators.
  if (!time || format_http_date(*time) != text) return std::nullopt;
  return time;
}

}  // namespace tabernetes
