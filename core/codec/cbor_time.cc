// Tested by tests/core/codec/cbor_test.cc.
#include "codec/cbor_time.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/go/time.h"
#include "base/time/rfc3339.h"
#include "codec/cbor_items.h"

namespace tabernetes::codec::cbor {
namespace {

constexpr std::int64_t kYear0 = -62167219200, kYear10000 = 253402300800;
constexpr std::int64_t kNanosPerSecond = 1'000'000'000;
constexpr std::string_view kNoText =
    "cbor: decoded time cannot be represented in RFC3339 format with sub-second precision: "
    "Time.MarshalText: ";

std::string without_zeros(std::string fraction) {
  while (fraction.ends_with('0')) fraction.pop_back();
  return fraction.empty() ? fraction : "." + fraction;
}

TimeText of_unix(std::int64_t seconds, std::int64_t nanoseconds) {
  if (nanoseconds < 0) {
    --seconds;
    nanoseconds += kNanosPerSecond;
  }
  if (seconds < kYear0 || seconds >= kYear10000) {
    return {{}, std::string(kNoText) + "year outside of range [0,9999]"};
  }
  std::string text = format_unix({seconds, 0}, Fraction::kNone);
  std::string digits = std::to_string(nanoseconds);
  digits.insert(0, 9 - digits.size(), '0');
  text.insert(text.size() - 1, without_zeros(std::move(digits)));
  return {std::move(text), {}};
}

}  // namespace

TimeText time_of_text(std::string_view text) {
  std::string error = normalise_go_time(text, TimeLayout::kSeconds).error;
  if (!error.empty())
    return {{}, "cbor: cannot set " + std::string(text) + " for time.Time: " + error};
  // Go accepts an hour of one digit, and a fraction of any length after a point or a comma.
  const std::size_t colon = text.find(':');
  std::string out(text.substr(0, 11));
  if (colon == 12) out += '0';
  out += text.substr(11, colon - 11 + 6);
  std::string_view rest = text.substr(colon + 6);
  if (rest[0] == '.' || rest[0] == ',') {
    const std::size_t end = rest.find_first_not_of("0123456789", 1);
    out += without_zeros(std::string(rest.substr(1, std::min<std::size_t>(end - 1, 9))));
    rest.remove_prefix(end);
  }
  if (rest.size() > 1 && rest.substr(1, 2) >= "24") {
    return {{}, std::string(kNoText) + "timezone hour outside of range [0,23]"};
  }
  out += rest.size() > 1 && rest.substr(1) == "00:00" ? "Z" : rest;
  return {std::move(out), {}};
}

TimeText time_of_epoch(const Head& number) {
  constexpr std::uint64_t kLargest = std::numeric_limits<std::int64_t>::max();
  if (number.major == Major::kPrimitive) {
    double whole = 0;
    const double part = std::modf(number.real, &whole);
    if (std::abs(whole) >= 1e15) return of_unix(kYear10000, 0);
    return of_unix(static_cast<std::int64_t>(whole), static_cast<std::int64_t>(part * 1e9));
  }
  if (number.value > kLargest) {
    const bool negative = number.major == Major::kNegative;
    return {{},
            "cbor: cannot unmarshal " + std::string(name_of(number.major)) +
                " into Go value of type time.Time (" +
                (negative ? negative_text(number.value) : std::to_string(number.value)) +
                " overflows Go's int64)"};
  }
  const auto value = static_cast<std::int64_t>(number.value);
  return of_unix(number.major == Major::kNegative ? -1 - value : value, 0);
}

}  // namespace tabernetes::codec::cbor
