// Functions of timestamps and durations. Source: cel-go 0.26 common/types/timestamp.go,
// duration.go.
#include <optional>

#include "base/go/text.h"
#include "base/time/rfc3339.h"
#include "base/time/time_zone.h"
#include "cel/evaluator.h"

namespace tabernetes::cel {
namespace {

using F = Function;

constexpr std::int64_t kDay = 86'400;

std::int64_t number(std::string_view text, std::size_t at, std::size_t size) {
  return go_parse_int(text.substr(at, size)).value;
}

std::int64_t days_since_1970(const Value& time) {
  return (time.integer - kFirstSecond) / kDay + kFirstSecond / kDay;
}

// The calendar repeats every 400 years; an offset may lead to years outside four digits.
Value part(const Call& call, Value time) {
  constexpr std::int64_t kCycle = 146'097 * kDay;
  const std::int64_t cycles = time.integer > kLastSecond ? 1 : time.integer < kFirstSecond ? -1 : 0;
  time.integer -= cycles * kCycle;
  // YYYY-MM-DDTHH:MM:SSZ
  const std::string text = format_unix({time.integer, 0}, Fraction::kNone);
  switch (call.function) {
    case F::kGetFullYear:
      return make_int(number(text, 0, 4) + cycles * 400);
    case F::kGetMonth:
      return make_int(number(text, 5, 2) - 1);
    case F::kGetDate:
      return make_int(number(text, 8, 2));
    case F::kGetDayOfMonth:
      return make_int(number(text, 8, 2) - 1);
    case F::kGetDayOfWeek:
      return make_int((days_since_1970(time) % 7 + 11) % 7);
    case F::kGetDayOfYear: {
      const auto first = parse_rfc3339_unix(text.substr(0, 4) + "-01-01T00:00:00Z");
      return make_int(first ? (time.integer - first->seconds) / kDay : 0);
    }
    case F::kGetHours:
      return make_int(number(text, 11, 2));
    case F::kGetMinutes:
      return make_int(number(text, 14, 2));
    case F::kGetSeconds:
      return make_int(number(text, 17, 2));
    case F::kGetMilliseconds:
      return make_int(time.size / 1'000'000);
    default:
      return not_mine();
  }
}

Value part_of_span(const Call& call) {
  const std::int64_t span = call.args[0].integer;
  switch (call.function) {
    case F::kGetHours:
      return make_int(span / 3'600'000'000'000);
    case F::kGetMinutes:
      return make_int(span / 60'000'000'000);
    case F::kGetSeconds:
      return make_int(span / 1'000'000'000);
    case F::kGetMilliseconds:
      return make_int(span / 1'000'000);
    default:
      return not_mine();
  }
}

// Returns seconds east of UTC, or an error.
Value zone_offset(const Call& call) {
  const std::string_view zone = call.text(1);
  const std::size_t colon = zone.find(':');
  if (colon == std::string_view::npos) {
    if (const auto offset = time_zone_offset(zone, call.args[0].integer)) return make_int(*offset);
    return call.error(time_zone_fault(zone));
  }
  for (const std::string_view digits : {zone.substr(0, colon), zone.substr(colon + 1)}) {
    std::string error = go_parse_int(digits).error;
    if (error.empty()) continue;
    const std::size_t name = error.find("ParseInt");
    if (name != std::string::npos) error.replace(name, 8, "Atoi");
    return call.error(error);
  }
  const std::int64_t hours = go_parse_int(zone.substr(0, colon)).value;
  const std::int64_t minutes = go_parse_int(zone.substr(colon + 1)).value;
  constexpr std::int64_t kMost = 100'000;
  if (hours > kMost || hours < -kMost || minutes > kMost || minutes < -kMost) return make_int(0);
  return make_int((hours * 60 + (zone[0] == '-' ? -minutes : minutes)) * 60);
}

}  // namespace

Value call_time(const Call& call) {
  if (call.is("r")) return part_of_span(call);
  if (call.is("t")) return part(call, call.args[0]);
  if (!call.is("ts") || call.function < F::kGetDate || call.function > F::kGetSeconds) {
    return not_mine();
  }
  const Value offset = zone_offset(call);
  if (offset.is_error()) return offset;
  return part(call, make_time(call.args[0].integer + offset.integer, call.args[0].size));
}

}  // namespace tabernetes::cel
