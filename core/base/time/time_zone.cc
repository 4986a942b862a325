#include "base/time/time_zone.h"

#include <algorithm>

#include "base/time/calendar.h"
#include "base/time/time_zone_data.h"

namespace tabernetes {
namespace {

constexpr std::int64_t kDay = 86'400;

// Decodes kTimeZoneSteps.
class StepReader {
 public:
  explicit StepReader(const unsigned char* next) : next_(next) {}

  std::int32_t number() {
    const std::int32_t value = byte();
    if (value < 224) return value;
    if (value < 255) return (value - 224) * 256 + byte();
    const std::int32_t high = byte();
    const std::int32_t middle = byte();
    return (high * 256 + middle) * 256 + byte();
  }

  std::int32_t span() {
    constexpr std::int32_t kQuarter = 900;
    const std::int32_t value = number();
    return value / 2 * (value % 2 == 0 ? kQuarter : 1);
  }

  std::int32_t change() { return span() - static_cast<std::int32_t>(kDay); }

  void skip(std::int32_t size) { next_ += size; }
  const unsigned char* next() const { return next_; }

 private:
  std::int32_t byte() { return *next_++; }

  const unsigned char* next_;
};

// Returns the position of `name` as a whole word.
std::optional<std::size_t> find_name(std::string_view name) {
  const std::string_view names = kTimeZoneNames;
  if (name.empty() || name.find_first_of(" \n") != name.npos) return std::nullopt;
  for (std::size_t i = names.find(name); i != names.npos; i = names.find(name, i + 1)) {
    const char after = names[i + name.size()];
    if (names[i - 1] == ' ' && (after == ' ' || after == '\n')) return i;
  }
  return std::nullopt;
}

// Returns the last first of March at or before `day`, as days since 1970.
std::int64_t spring_of(std::int64_t day) {
  const Date date = date_from_days(day);
  return days_from_date({date.month < 3 ? date.year - 1 : date.year, 3, 1});
}

std::int64_t time_of(const TimeZoneDate& date, std::int64_t spring) {
  const std::int64_t day = spring + date.day;
  const std::int64_t weekday = (day % 7 + 11) % 7;
  return (day + (date.weekday - weekday + 7) % 7) * kDay + date.seconds;
}

std::int32_t change_by(const TimeZoneRule& rule, std::int64_t time) {
  const std::int64_t spring = spring_of((time - (time % kDay + kDay) % kDay) / kDay);
  const bool between = time >= time_of(rule.first, spring) && time < time_of(rule.second, spring);
  return between ? rule.change : 0;
}

// Returns the UTC offset of the zone encoded from `steps` to `end`.
std::int32_t offset_at(StepReader steps, const unsigned char* end, std::int64_t time) {
  const std::int32_t rule = steps.number();
  std::int32_t offset = steps.change();
  for (std::int64_t day = kTimeZoneFirstDay; steps.next() < end;) {
    day += steps.number();
    if (time < day * kDay + steps.span() - offset) return offset;
    offset += steps.change();
  }
  return rule == 0 ? offset : offset + change_by(kTimeZoneRules[rule - 1], time);
}

bool is_utc(std::string_view name) { return name.empty() || name == "Local"; }

}  // namespace

std::string time_zone_fault(std::string_view name) {
  if (is_utc(name)) return "";
  if (name.find("..") != name.npos || name[0] == '/' || name[0] == '\\') {
    return "time: invalid location name";
  }
  return find_name(name) ? "" : "unknown time zone " + std::string(name);
}

std::optional<std::int32_t> time_zone_offset(std::string_view name, std::int64_t time) {
  if (is_utc(name)) return 0;
  const std::optional<std::size_t> place = find_name(name);
  if (!place) return std::nullopt;
  StepReader steps(kTimeZoneSteps);
  for (auto zones = std::count(kTimeZoneNames, kTimeZoneNames + *place, '\n'); zones > 0; --zones) {
    steps.skip(steps.number());
  }
  const std::int32_t size = steps.number();
  return offset_at(steps, steps.next() + size, time);
}

}  // namespace tabernetes
