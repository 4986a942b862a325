#include "base/time/rfc3339.h"

#include <limits>

#include "base/text/ascii.h"
#include "base/time/calendar.h"

namespace tabernetes {
namespace {

constexpr std::int64_t kNanosPerSecond = 1'000'000'000;

int days_in_month(std::int64_t year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return month == 2 && leap ? 29 : kDays[month - 1];
}

// Appends `value` padded with zeros to `digits`; longer numbers are not cut. REQUIRES: digits <= 9.
void append_padded(std::string& out, std::int64_t value, int digits) {
  char padded[9];
  std::int64_t rest = value;
  for (int i = digits; rest >= 0 && i-- > 0; rest /= 10) {
    padded[i] = static_cast<char>('0' + rest % 10);
  }
  if (rest == 0) {
    out.append(padded, static_cast<std::size_t>(digits));
    return;
  }
  const std::string text = std::to_string(value);
  if (static_cast<int>(text.size()) < digits) out.append(digits - text.size(), '0');
  out += text;
}

// Formats as "2026-07-24T14:05:30".
std::string format_seconds(std::int64_t unix_seconds) {
  std::int64_t days = unix_seconds / 86'400;
  std::int64_t rest = unix_seconds % 86'400;
  if (rest < 0) {
    rest += 86'400;
    --days;
  }
  const Date date = date_from_days(days);
  std::string out;
  out.reserve(30);
  append_padded(out, date.year, 4);
  char text[] = "-MM-DDThh:mm:ss";
  const auto put = [&](int place, std::int64_t value) {
    text[place] = static_cast<char>('0' + value / 10);
    text[place + 1] = static_cast<char>('0' + value % 10);
  };
  put(1, date.month);
  put(4, date.day);
  put(7, rest / 3600);
  put(10, rest / 60 % 60);
  put(13, rest % 60);
  out.append(text, sizeof text - 1);
  return out;
}

// Consumes the text from the left; every function returns false on a mismatch.
class TimeReader {
 public:
  explicit TimeReader(std::string_view text) : text_(text) {}

  bool done() const { return text_.empty(); }
  char peek() const { return text_.empty() ? '\0' : text_.front(); }
  bool literal(char c) {
    if (peek() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  // Reads exactly `digits` digits with a value in [low, high].
  bool number(int digits, int low, int high, int& value) {
    value = 0;
    for (int i = 0; i < digits; ++i) {
      if (!at_digit()) return false;
      value = value * 10 + digit();
    }
    return value >= low && value <= high;
  }
  // Reads an optional ".123..." or ",123...", as Go does; digits beyond nine are dropped.
  bool fraction(std::int64_t& nanoseconds) {
    nanoseconds = 0;
    if (!literal('.') && !literal(',')) return true;
    if (!at_digit()) return false;
    for (std::int64_t unit = kNanosPerSecond / 10; at_digit(); unit /= 10) {
      nanoseconds += digit() * unit;
    }
    return true;
  }

 private:
  bool at_digit() const { return is_digit(peek()); }
  int digit() {
    const int value = text_.front() - '0';
    text_.remove_prefix(1);
    return value;
  }

  std::string_view text_;
};

// Reads "Z" or "+02:00" as seconds east of UTC.
bool read_offset(TimeReader& reader, int& seconds) {
  seconds = 0;
  if (reader.literal('Z')) return true;
  const bool west = reader.peek() == '-';
  if (!reader.literal('+') && !reader.literal('-')) return false;
  int hours = 0, minutes = 0;
  if (!reader.number(2, 0, 24, hours) || !reader.literal(':') || !reader.number(2, 0, 60, minutes))
    return false;
  seconds = (hours * 60 + minutes) * (west ? -60 : 60);
  return true;
}

Time saturated(std::int64_t unix_seconds, std::int64_t nanoseconds) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  if (unix_seconds >= kMax / kNanosPerSecond) return {kMax};
  if (unix_seconds <= kMin / kNanosPerSecond) return {kMin};
  return {unix_seconds * kNanosPerSecond + nanoseconds};
}

}  // namespace

std::string format_unix(UnixTime time, Fraction fraction) {
  std::string out = format_seconds(time.seconds);
  if (fraction == Fraction::kMicroseconds) {
    out += '.';
    append_padded(out, time.nanoseconds / 1000, 6);
  }
  return out + "Z";
}

std::string format_rfc3339(Time time) {
  return format_unix({time.unix_seconds(), 0}, Fraction::kNone);
}

std::string format_rfc3339_micro(Time time) {
  const std::int64_t seconds = time.unix_seconds();
  const std::int64_t nanoseconds = time.unix_nanoseconds % kNanosPerSecond;
  return format_unix({seconds, nanoseconds < 0 ? nanoseconds + kNanosPerSecond : nanoseconds},
                     Fraction::kMicroseconds);
}

std::optional<UnixTime> parse_rfc3339_unix(std::string_view text) {
  TimeReader reader(text);
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, offset = 0;
  std::int64_t nanoseconds = 0;
  const bool read =
      reader.number(4, 0, 9999, year) && reader.literal('-') && reader.number(2, 1, 12, month) &&
      reader.literal('-') && reader.number(2, 1, days_in_month(year, month), day) &&
      reader.literal('T') && reader.number(2, 0, 23, hour) && reader.literal(':') &&
      reader.number(2, 0, 59, minute) && reader.literal(':') && reader.number(2, 0, 59, second) &&
      reader.fraction(nanoseconds) && read_offset(reader, offset) && reader.done();
  if (!read) return std::nullopt;
  const std::int64_t days = days_from_date({year, month, day});
  return UnixTime{days * 86'400 + hour * 3600 + minute * 60 + second - offset, nanoseconds};
}

std::optional<Time> parse_rfc3339(std::string_view text) {
  const auto time = parse_rfc3339_unix(text);
  if (!time) return std::nullopt;
  return saturated(time->seconds, time->nanoseconds);
}

// Prints a second unit as long as the first one is small. Source of the steps: upstream 1.36:
// apimachinery pkg/util/duration, HumanDuration.
std::string human_duration(Duration age) {
  const std::int64_t seconds = age.nanoseconds / kNanosPerSecond;
  const auto units = [](std::int64_t big, const char* big_unit, std::int64_t small,
                        const char* small_unit) {
    std::string text = std::to_string(big) + big_unit;
    if (small != 0) text += std::to_string(small) + small_unit;
    return text;
  };
  if (seconds < -1) return "<invalid>";  // tolerates a small clock difference only
  if (seconds < 0) return "0s";
  if (seconds < 120) return units(seconds, "s", 0, "");
  const std::int64_t minutes = seconds / 60;
  if (minutes < 10) return units(minutes, "m", seconds % 60, "s");
  if (minutes < 180) return units(minutes, "m", 0, "");
  const std::int64_t hours = minutes / 60;
  if (hours < 8) return units(hours, "h", minutes % 60, "m");
  if (hours < 48) return units(hours, "h", 0, "");
  const std::int64_t days = hours / 24;
  if (days < 8) return units(days, "d", hours % 24, "h");
  if (days < 365 * 2) return units(days, "d", 0, "");
  const std::int64_t years = days / 365;
  if (years < 8) return units(years, "y", days % 365, "d");
  return units(years, "y", 0, "");
}

}  // namespace tabernetes
