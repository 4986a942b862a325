#include "base/time/cron_schedule.h"

#include <algorithm>
#include <vector>

#include "base/go/duration.h"
#include "base/go/text.h"
#include "base/text/ascii.h"
#include "base/text/parts.h"
#include "base/time/time_zone.h"

namespace tabernetes {
namespace {

struct Bounds {
  unsigned min, max;
  std::string_view names = {};  // three letters each, in the order of their numbers
};

constexpr Bounds kMinutes{0, 59};
constexpr Bounds kHours{0, 23};
constexpr Bounds kDaysOfMonth{1, 31};
constexpr Bounds kMonths{1, 12, "janfebmaraprmayjunjulaugsepoctnovdec"};
constexpr Bounds kWeekdays{0, 6, "sunmontuewedthufrisat"};

std::uint64_t bits(unsigned first, unsigned last, std::uint64_t step) {
  std::uint64_t found = 0;
  for (std::uint64_t i = first; i <= last; i += step) found |= std::uint64_t{1} << i;
  return found;
}

// Splits `text` and drops empty parts.
std::vector<std::string_view> fields_of(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t begin = text.find_first_not_of(separators);
    if (begin == std::string_view::npos) return parts;
    text.remove_prefix(begin);
    parts.push_back(text.substr(0, text.find_first_of(separators)));
    text.remove_prefix(parts.back().size());
  }
}

class FieldReader {
 public:
  explicit FieldReader(std::string& error) : error_(error) {}

  // Returns 0 once there is an error. Sets `any` if some range is a star with step 1.
  std::uint64_t read(std::string_view field, const Bounds& bounds, bool& any) {
    std::uint64_t found = 0;
    for (const std::string_view range : fields_of(field, ",")) {
      if (!error_.empty()) return 0;
      found |= read_range(range, bounds, any);
    }
    return found;
  }

 private:
  std::uint64_t read_range(std::string_view text, const Bounds& bounds, bool& any) {
    const std::vector<std::string_view> parts = split(text, '/');
    const std::vector<std::string_view> ends = split(parts[0], '-');
    const bool star = ends[0] == "*" || ends[0] == "?";
    std::uint64_t first = bounds.min;
    std::uint64_t last = bounds.max;
    if (!star) {
      first = name_or_number(ends[0], bounds);
      last = first;
      if (ends.size() == 2 && error_.empty()) last = name_or_number(ends[1], bounds);
      if (ends.size() > 2) fail("too many hyphens: ", text);
    }
    std::uint64_t step = 1;
    if (parts.size() == 2 && error_.empty()) {
      step = number(parts[1]);
      if (ends.size() == 1) last = bounds.max;
    } else if (parts.size() > 2) {
      fail("too many slashes: ", text);
    }
    if (first < bounds.min) {
      fail(range_text("beginning", first) + " below minimum (" + std::to_string(bounds.min) + "): ",
           text);
    }
    if (last > bounds.max) {
      fail("end of range (" + std::to_string(last) + ") above maximum (" +
               std::to_string(bounds.max) + "): ",
           text);
    }
    if (first > last) {
      fail(range_text("beginning", first) + " beyond end of range (" + std::to_string(last) + "): ",
           text);
    }
    if (step == 0) fail("step of range should be a positive number: ", text);
    if (!error_.empty()) return 0;
    if (star && step == 1) any = true;
    return bits(static_cast<unsigned>(first), static_cast<unsigned>(last), step);
  }

  static std::string range_text(std::string_view what, std::uint64_t value) {
    return std::string(what) + " of range (" + std::to_string(value) + ")";
  }

  // Keeps the first error.
  void fail(std::string what, std::string_view text) {
    if (error_.empty()) error_ = std::move(what) + std::string(text);
  }

  std::uint64_t name_or_number(std::string_view text, const Bounds& bounds) {
    const std::string lower = ascii_lower(text);
    for (std::size_t i = 0; lower.size() == 3 && i < bounds.names.size(); i += 3) {
      if (bounds.names.substr(i, 3) == lower) return bounds.min + i / 3;
    }
    return number(text);
  }

  std::uint64_t number(std::string_view text) {
    const bool negative = text.starts_with('-');
    const std::string_view digits = text.substr(negative || text.starts_with('+') ? 1 : 0);
    std::uint64_t value = 0;
    bool large = false;
    for (const char c : digits) {
      if (!is_digit(c)) return refuse(text, "invalid syntax");
      large = large || value > (INT64_MAX - 9) / 10;
      if (!large) value = value * 10 + static_cast<std::uint64_t>(c - '0');
    }
    if (digits.empty()) return refuse(text, "invalid syntax");
    if (large) return refuse(text, "value out of range");
    if (negative && value > 0) {
      fail("negative number (-" + std::to_string(value) + ") not allowed: ", text);
      return 0;
    }
    return value;
  }

  std::uint64_t refuse(std::string_view text, std::string_view why) {
    fail("failed to parse int from " + std::string(text) + ": strconv.Atoi: parsing " +
             go_quote(text) + ": ",
         why);
    return 0;
  }

  std::string& error_;
};

std::optional<CronSchedule> parse_descriptor(std::string_view text, std::string& error) {
  constexpr std::string_view kEvery = "@every ";
  struct Row {
    std::string_view name, fields;
  };
  constexpr Row kRows[] = {
      {"@yearly", "0 0 1 1 *"}, {"@annually", "0 0 1 1 *"}, {"@monthly", "0 0 1 * *"},
      {"@weekly", "0 0 * * 0"}, {"@daily", "0 0 * * *"},    {"@midnight", "0 0 * * *"},
      {"@hourly", "0 * * * *"},
  };
  for (const Row& row : kRows) {
    if (row.name == text) return CronSchedule::parse(row.fields, error);
  }
  if (!text.starts_with(kEvery)) {
    error = "unrecognized descriptor: " + std::string(text);
    return std::nullopt;
  }
  const GoDuration duration = go_parse_duration(text.substr(kEvery.size()));
  if (!duration.error.empty()) {
    error = "failed to parse duration " + std::string(text) + ": " + duration.error;
    return std::nullopt;
  }
  CronSchedule schedule;
  schedule.every_seconds = std::max<std::int64_t>(1, duration.value.nanoseconds / 1'000'000'000);
  return schedule;
}

}  // namespace

std::optional<CronSchedule> CronSchedule::parse(std::string_view text, std::string& error) {
  error.clear();
  if (text.empty()) error = "empty spec string";
  if (text.starts_with("TZ=") || text.starts_with("CRON_TZ=")) {
    const std::size_t blank = text.find(' ');
    if (blank == std::string_view::npos) {
      // Go panics here.
      error = "invalid schedule format: runtime error: slice bounds out of range [:-1]";
      return std::nullopt;
    }
    const std::size_t equals = text.find('=');
    const std::string_view zone = text.substr(equals + 1, blank - equals - 1);
    if (const std::string fault = time_zone_fault(zone); !fault.empty()) {
      error = "provided bad location " + std::string(zone) + ": " + fault;
      return std::nullopt;
    }
    text.remove_prefix(blank);
    text.remove_prefix(std::min(text.size(), text.find_first_not_of(' ')));
  }
  if (text.starts_with('@')) return parse_descriptor(text, error);
  const std::vector<std::string_view> fields = fields_of(text, kGoSpaces);
  if (fields.size() != 5 && error.empty()) {
    error = "expected exactly 5 fields, found " + std::to_string(fields.size()) + ": [";
    for (std::size_t i = 0; i < fields.size(); ++i) {
      error.append(i == 0 ? "" : " ").append(fields[i]);
    }
    error += "]";
  }
  if (!error.empty()) return std::nullopt;
  FieldReader reader(error);
  CronSchedule schedule;
  bool ignored = false;
  schedule.minutes = reader.read(fields[0], kMinutes, ignored);
  schedule.hours = reader.read(fields[1], kHours, ignored);
  schedule.days = reader.read(fields[2], kDaysOfMonth, schedule.any_day);
  schedule.months = reader.read(fields[3], kMonths, ignored);
  schedule.weekdays = reader.read(fields[4], kWeekdays, schedule.any_weekday);
  if (!error.empty()) return std::nullopt;
  return schedule;
}

}  // namespace tabernetes
