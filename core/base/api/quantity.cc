#include "base/api/quantity.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/text/ascii.h"

namespace tabernetes {
namespace {

constexpr std::string_view kWrongFormat =
    "quantities must match the regular expression "
    "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
constexpr std::string_view kWrongNumber = "unable to parse numeric part of quantity";
constexpr std::string_view kWrongSuffix = "unable to parse quantity's suffix";

constexpr int kNano = -9;             // the finest precision kept
constexpr int kMostInt64Digits = 18;  // what upstream handles without big numbers
constexpr std::string_view kMaxInt64 = "9223372036854775807";

struct Parts {
  bool negative = false;
  std::string_view whole, fraction, suffix;
};

std::size_t count_digits(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size() && is_digit(text[n])) ++n;
  return n;
}

// Splits `text` into sign, digits and suffix; returns false if it cannot be a quantity. Accepts, as
// upstream: no digits after a sign, "." and ".5" and "5.".
bool split(std::string_view text, Parts& parts) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    parts.negative = text[0] == '-';
    text.remove_prefix(1);
  }
  text.remove_prefix(std::min(text.find_first_not_of('0'), text.size()));
  parts.whole = text.substr(0, count_digits(text));
  text.remove_prefix(parts.whole.size());
  if (!text.empty() && text[0] == '.') {
    text.remove_prefix(1);
    parts.fraction = text.substr(0, count_digits(text));
    text.remove_prefix(parts.fraction.size());
  }
  parts.suffix = text;
  text.remove_prefix(std::min(text.find_first_not_of("eEinumkKMGTP"), text.size()));
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  return count_digits(text) == text.size();
}

struct Suffix {
  std::string_view text;
  bool binary;
  int exponent;  // power of ten or of two
};

constexpr Suffix kSuffixes[] = {
    {"", false, 0},   {"m", false, -3}, {"Mi", true, 20}, {"Gi", true, 30},
    {"Ki", true, 10}, {"k", false, 3},  {"M", false, 6},  {"G", false, 9},
    {"T", false, 12}, {"P", false, 15}, {"E", false, 18}, {"n", false, -9},
    {"u", false, -6}, {"Ti", true, 40}, {"Pi", true, 50}, {"Ei", true, 60}};

struct Scale {
  Quantity::Notation notation;
  std::int32_t exponent;
};

std::optional<Scale> read_suffix(std::string_view text) {
  for (const Suffix& suffix : kSuffixes) {
    if (suffix.text != text) continue;
    return Scale{suffix.binary ? Quantity::Notation::kBinarySi : Quantity::Notation::kDecimalSi,
                 suffix.exponent};
  }
  if (text.size() < 2 || (text[0] != 'e' && text[0] != 'E')) return std::nullopt;
  std::string_view number = text.substr(1);
  if (number[0] == '+') number.remove_prefix(1);
  std::int64_t exponent = 0;
  const char* end = number.data() + number.size();
  const auto read = std::from_chars(number.data(), end, exponent);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  // Upstream truncates the exponent to 32 bits, too.
  return Scale{Quantity::Notation::kDecimalExponent, static_cast<std::int32_t>(exponent)};
}

// Returns an empty suffix above E, where upstream finds none either and prints the bare number.
std::string_view decimal_suffix(std::int32_t exponent) {
  for (const Suffix& suffix : kSuffixes) {
    if (!suffix.binary && suffix.exponent == exponent) return suffix.text;
  }
  return {};
}

// Returns the last digits of whole and fraction modulo 8; three digits suffice, 1000 being a
// multiple.
int modulo_8(const Parts& parts) {
  std::string last(
      parts.whole.substr(parts.whole.size() - std::min<std::size_t>(parts.whole.size(), 3)));
  last += parts.fraction;
  if (last.size() > 3) last.erase(0, last.size() - 3);
  int value = 0;
  for (const char c : last) value = value * 10 + (c - '0');
  return value % 8;
}

// Returns whether upstream parses it into int64, without big numbers.
bool fits_int64(const Parts& parts, Scale scale) {
  const auto whole = static_cast<int>(std::max<std::size_t>(parts.whole.size(), 1));  // "" is "0"
  const auto fraction = static_cast<int>(parts.fraction.size());
  if (scale.notation == Quantity::Notation::kBinarySi) {
    const int precision = 15 - whole - scale.exponent * 3 / 10 - 1;
    return fraction == 0 && precision >= 0;
  }
  return whole + fraction <= kMostInt64Digits && std::int64_t{scale.exponent} - fraction >= kNano;
}

// Returns whether upstream keeps the text as read instead of making it canonical.
bool keeps_text(const Parts& parts, Scale scale) {
  if (!fits_int64(parts, scale)) return false;
  if (scale.notation == Quantity::Notation::kBinarySi) return modulo_8(parts) != 0;
  const std::int64_t exponent =
      std::int64_t{scale.exponent} - static_cast<std::int64_t>(parts.fraction.size());
  if (exponent % 3 != 0 || parts.whole.empty()) return false;
  std::string digits(parts.whole);
  digits += parts.fraction;
  return !digits.ends_with("000");
}

// Multiplies a decimal text by 1024 in place.
void multiply_digits_by_1024(std::string& digits) {
  int carry = 0;
  for (std::size_t i = digits.size(); i-- > 0;) {
    const int value = (digits[i] - '0') * 1024 + carry;
    digits[i] = static_cast<char>('0' + value % 10);
    carry = value / 10;
  }
  std::string front;
  for (; carry > 0; carry /= 10) front.insert(front.begin(), static_cast<char>('0' + carry % 10));
  digits.insert(0, front);
}

// Adds 1 to a decimal text in place.
void increment(std::string& digits) {
  for (std::size_t i = digits.size(); i-- > 0;) {
    if (digits[i] != '9') {
      ++digits[i];
      return;
    }
    digits[i] = '0';
  }
  digits.insert(digits.begin(), '1');
}

// Adds two decimal texts.
std::string add_digits(std::string a, std::string b) {
  if (a.size() < b.size()) std::swap(a, b);
  b.insert(0, a.size() - b.size(), '0');
  int carry = 0;
  for (std::size_t i = a.size(); i-- > 0;) {
    const int value = (a[i] - '0') + (b[i] - '0') + carry;
    a[i] = static_cast<char>('0' + value % 10);
    carry = value / 10;
  }
  if (carry > 0) a.insert(a.begin(), '1');
  return a;
}

// Subtracts b from a; both have the same length. REQUIRES: a >= b.
std::string subtract_digits(std::string a, const std::string& b) {
  int borrow = 0;
  for (std::size_t i = a.size(); i-- > 0;) {
    int value = (a[i] - '0') - (b[i] - '0') - borrow;
    borrow = value < 0 ? 1 : 0;
    a[i] = static_cast<char>('0' + value + borrow * 10);
  }
  return a;
}

// Quick test that returns true only for canonical texts, among them most that clients send: a few
// digits that no larger suffix would shorten.
bool is_plainly_canonical(std::string_view text) {
  const std::size_t digits = count_digits(text);
  if (digits == 0 || digits > 6 || text[0] == '0') return false;
  int number = 0;
  std::from_chars(text.data(), text.data() + digits, number);
  const std::string_view suffix = text.substr(digits);
  if (suffix == "Ki" || suffix == "Mi" || suffix == "Gi") return number % 1024 != 0;
  const bool decimal =
      suffix.empty() || suffix == "m" || suffix == "k" || suffix == "M" || suffix == "G";
  return decimal && number % 1000 != 0;
}

// Numbers of up to this many digits can be multiplied by 1024 this many times within 64 bits.
constexpr std::size_t kSafeDigits = 9;
constexpr int kSafeTimes = 3;
static_assert(1'000'000'000 < std::numeric_limits<std::uint64_t>::max() >> 10 * kSafeTimes);

// Numbers whose exponents differ by more than this are not expanded to a common exponent.
constexpr std::int64_t kLongestWritten = 4096;

}  // namespace

Quantity Quantity::of(std::int64_t value, Notation notation) {
  Quantity result;
  result.notation_ = notation;
  result.negative_ = value < 0;
  result.digits_ = std::to_string(value);
  if (value < 0) result.digits_.erase(0, 1);
  result.normalise();
  return result;
}

void Quantity::normalise() {
  const std::size_t last = digits_.find_last_not_of('0');
  if (last == std::string::npos) {
    digits_.clear();
    exponent_ = 0;
    negative_ = false;
    return;
  }
  exponent_ += static_cast<std::int32_t>(digits_.size() - last - 1);
  digits_.erase(last + 1);
  digits_.erase(0, digits_.find_first_not_of('0'));
}

std::optional<Quantity> Quantity::parse(std::string_view text, std::string_view& error) {
  Parts parts;
  if (text.empty() || !split(text, parts)) {
    error = kWrongFormat;
    return std::nullopt;
  }
  const std::optional<Scale> scale = read_suffix(parts.suffix);
  if (!scale) {
    error = kWrongSuffix;
    return std::nullopt;
  }
  if (text.find_first_of("0123456789") >= text.size() - parts.suffix.size() &&
      !fits_int64(parts, *scale)) {
    error = kWrongNumber;  // no digits at all; elsewhere upstream treats that as zero
    return std::nullopt;
  }
  Quantity result;
  result.notation_ = scale->notation;
  result.negative_ = parts.negative;
  result.digits_.reserve(parts.whole.size() + parts.fraction.size());
  result.digits_ += parts.whole;
  result.digits_ += parts.fraction;
  result.exponent_ = -static_cast<std::int32_t>(parts.fraction.size());
  result.normalise();
  if (result.is_zero()) return result;
  if (keeps_text(parts, *scale)) result.text_ = text;
  if (scale->notation != Notation::kBinarySi) {
    const std::int64_t exponent = std::int64_t{result.exponent_} + scale->exponent;
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max() / 2;
    result.exponent_ = static_cast<std::int32_t>(std::clamp(exponent, -kMost, kMost));
    result.round_up(kNano);
    return result;
  }
  result.multiply_by_1024(scale->exponent / 10);
  result.round_up(kNano);
  const std::int64_t whole_digits =
      static_cast<std::int64_t>(result.digits_.size()) + result.exponent_;
  if (whole_digits > 0 && whole_digits <= kMostInt64Digits) return result;
  Quantity limit;
  limit.digits_ = kMaxInt64;
  Quantity magnitude = result;
  magnitude.negative_ = false;
  if (magnitude.compare(limit) > 0) {
    result.digits_ = kMaxInt64;
    result.exponent_ = 0;
  }
  if (magnitude.compare(of(1)) < 0) result.notation_ = Notation::kDecimalSi;
  return result;
}

void Quantity::multiply_by_1024(int times) {
  std::uint64_t value = 0;
  const char* const end = digits_.data() + digits_.size();
  if (digits_.size() <= kSafeDigits && times <= kSafeTimes) {
    std::from_chars(digits_.data(), end, value);
    digits_ = std::to_string(value << 10 * times);
  } else {
    for (int i = 0; i < times; ++i) multiply_digits_by_1024(digits_);
  }
  normalise();
}

void Quantity::round_up(int exponent) {
  if (is_zero() || exponent_ >= exponent) return;
  text_.clear();
  const std::int64_t dropped = std::int64_t{exponent} - exponent_;
  if (dropped >= static_cast<std::int64_t>(digits_.size())) {
    digits_ = "1";  // digits_ is not zero
  } else {
    digits_.erase(digits_.size() - static_cast<std::size_t>(dropped));
    increment(digits_);  // the dropped digits were not all zero, since the last one is not
  }
  exponent_ = exponent;
  normalise();
}

int Quantity::compare(const Quantity& other) const {
  if (sign() != other.sign()) return sign() < other.sign() ? -1 : 1;
  if (is_zero()) return 0;
  const int greater = negative_ ? -1 : 1;
  // Compares the position of the first digit, then the digits from the left.
  const std::int64_t first = static_cast<std::int64_t>(digits_.size()) + exponent_;
  const std::int64_t other_first =
      static_cast<std::int64_t>(other.digits_.size()) + other.exponent_;
  if (first != other_first) return first > other_first ? greater : -greater;
  const int order = digits_.compare(other.digits_);
  return order == 0 ? 0 : order > 0 ? greater : -greater;
}

std::int64_t Quantity::scaled_value(int exponent) const {
  Quantity rounded = *this;
  rounded.round_up(exponent);
  if (rounded.is_zero()) return 0;
  const std::int64_t zeros = std::int64_t{rounded.exponent_} - exponent;
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  const std::int64_t capped = negative_ ? -kMax - 1 : kMax;
  if (static_cast<std::int64_t>(rounded.digits_.size()) + zeros > 19) return capped;
  std::string text = negative_ ? "-" : "";
  text += rounded.digits_;
  text.append(static_cast<std::size_t>(zeros), '0');
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc() ? value : capped;
}

void Quantity::negate() {
  if (is_zero()) return;
  negative_ = !negative_;
  text_.clear();
}

void Quantity::add(const Quantity& other) {
  if (other.is_zero()) return;
  if (is_zero()) {
    *this = other;
    text_.clear();
    return;
  }
  text_.clear();
  const std::int64_t apart = std::int64_t{exponent_} - other.exponent_;
  if (apart > kLongestWritten || apart < -kLongestWritten) {
    if (apart < 0) *this = other;  // the other one is too small to matter
    return;
  }
  std::string a = digits_;
  std::string b = other.digits_;
  if (apart > 0) a.append(static_cast<std::size_t>(apart), '0');
  if (apart < 0) b.append(static_cast<std::size_t>(-apart), '0');
  exponent_ = std::min(exponent_, other.exponent_);
  const std::size_t size = std::max(a.size(), b.size());
  a.insert(0, size - a.size(), '0');
  b.insert(0, size - b.size(), '0');
  if (negative_ == other.negative_) {
    digits_ = add_digits(std::move(a), std::move(b));
  } else if (a >= b) {
    digits_ = subtract_digits(std::move(a), b);
  } else {
    digits_ = subtract_digits(std::move(b), a);
    negative_ = other.negative_;
  }
  normalise();
}

std::string Quantity::decimal_text(Notation notation) const {
  std::int32_t exponent = exponent_;
  std::string text = negative_ ? "-" : "";
  text += digits_;
  for (; exponent % 3 != 0; --exponent) text += '0';
  if (notation == Notation::kDecimalSi) {
    text += decimal_suffix(exponent);
  } else if (exponent != 0) {
    text += 'e';
    text += std::to_string(exponent);
  }
  return text;
}

// REQUIRES: an integer that fits in int64.
std::string Quantity::binary_text() const {
  std::int64_t value = scaled_value(0);
  int power = 0;
  for (; value % 1024 == 0 && power < 6; ++power) value /= 1024;
  constexpr std::string_view kBinary[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  std::string text = std::to_string(value);
  text += kBinary[power];
  return text;
}

std::string Quantity::to_string() const {
  if (is_zero()) return "0";
  if (!text_.empty()) return text_;
  if (notation_ != Notation::kBinarySi) return decimal_text(notation_);
  // Small or fractional values print as decimals, which is lossless.
  Quantity magnitude = *this;
  magnitude.negative_ = false;
  if (exponent_ < 0 || magnitude.compare(of(1024)) < 0) return decimal_text(Notation::kDecimalSi);
  return binary_text();
}

std::optional<std::string_view> canonical_quantity(std::string_view text, std::string& storage,
                                                   std::string_view& error) {
  if (is_plainly_canonical(text)) return text;
  const std::optional<Quantity> quantity = Quantity::parse(text, error);
  if (!quantity) return std::nullopt;
  storage = quantity->to_string();
  if (storage == text) return text;
  return storage;
}

}  // namespace tabernetes
