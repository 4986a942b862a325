#include "base/go/time.h"

#include <cstddef>

#include "base/text/ascii.h"

namespace tabernetes {
namespace {

constexpr std::string_view kSecondsLayout = "2006-01-02T15:04:05Z07:00";
constexpr std::string_view kMicrosecondsLayout = "2006-01-02T15:04:05.000000Z07:00";

bool is_digit_at(std::string_view text, std::size_t i) {
  return i < text.size() && is_digit(text[i]);
}

bool is_leap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

int days_in(int month, int year) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap(year) ? 29 : kDays[month - 1];
}

// Go's time.quote: bytes beyond ASCII as \xHH.
std::string quote(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || byte < ' ') {
      out += "\\x" + hex_text({&c, 1});
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out + '"';
}

// Appends `value` with at least `digits` digits, then `after`.
void append_padded(std::string& out, int value, std::size_t digits, char after) {
  const std::string text = std::to_string(value);
  if (text.size() < digits) out.append(digits - text.size(), '0');
  out += text;
  out += after;
}

// Parses the value along the layout. There is one function for each element; each returns false on
// a mismatch.
class LayoutParser {
 public:
  LayoutParser(std::string_view text, TimeLayout layout)
      : text_(text), rest_(text), micro_(layout == TimeLayout::kMicroseconds) {}

  GoTime run() {
    const bool read = year() && literal("-") && month() && literal("-") && day() && literal("T") &&
                      hour() && literal(":") && minute() && literal(":") && second() &&
                      (!micro_ || microseconds()) && zone() && end();
    GoTime result;
    if (read) {
      result.text = print();
    } else {
      result.error = std::move(error_);
    }
    return result;
  }

 private:
  bool cannot(std::string_view element, std::string_view at) {
    error_ = "parsing time " + quote(text_) + " as " +
             quote(micro_ ? kMicrosecondsLayout : kSecondsLayout) + ": cannot parse " + quote(at) +
             " as " + quote(element);
    return false;
  }
  bool out_of_range(std::string_view what) {
    return failed(": " + std::string(what) + " out of range");
  }
  bool failed(std::string_view message) {
    error_ = "parsing time " + quote(text_) + std::string(message);
    return false;
  }

  bool literal(std::string_view c) {
    if (!rest_.starts_with(c)) return cannot(c, rest_);
    rest_.remove_prefix(1);
    return true;
  }

  // Reads exactly two digits if `fixed`, otherwise one or two.
  bool number(int& value, bool fixed) {
    if (!is_digit_at(rest_, 0) || (fixed && !is_digit_at(rest_, 1))) return false;
    const std::size_t digits = is_digit_at(rest_, 1) ? 2 : 1;
    value = 0;
    for (std::size_t i = 0; i < digits; ++i) value = value * 10 + (rest_[i] - '0');
    rest_.remove_prefix(digits);
    return true;
  }

  bool year() {
    const std::string_view hold = rest_;
    for (std::size_t i = 0; i < 4; ++i) {
      if (!is_digit_at(rest_, i)) return cannot("2006", hold);
      year_ = year_ * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(4);
    return true;
  }

  bool month() {
    const std::string_view hold = rest_;
    if (!number(month_, true)) return cannot("01", hold);
    return month_ >= 1 && month_ <= 12 ? true : out_of_range("month");
  }

  bool day() {  // the range is checked at the end
    const std::string_view hold = rest_;
    return number(day_, true) ? true : cannot("02", hold);
  }

  bool hour() {
    const std::string_view hold = rest_;
    if (!number(hour_, false)) return cannot("15", hold);
    return hour_ < 24 ? true : out_of_range("hour");
  }

  bool minute() {
    const std::string_view hold = rest_;
    if (!number(minute_, true)) return cannot("04", hold);
    return minute_ < 60 ? true : out_of_range("minute");
  }

  bool second() {
    const std::string_view hold = rest_;
    if (!number(second_, true)) return cannot("05", hold);
    if (second_ >= 60) return out_of_range("second");
    // Go accepts a fraction even where the layout has none.
    const bool fraction = !rest_.empty() && (rest_[0] == '.' || rest_[0] == ',');
    if (!micro_ && fraction && is_digit_at(rest_, 1)) {
      std::size_t n = 2;
      while (is_digit_at(rest_, n)) ++n;
      rest_.remove_prefix(n);
    }
    return true;
  }

  bool microseconds() {
    constexpr std::string_view kElement = ".000000";
    const std::string_view hold = rest_;
    if (rest_.size() < kElement.size() || (rest_[0] != '.' && rest_[0] != ',')) {
      return cannot(kElement, hold);
    }
    for (std::size_t i = 1; i < kElement.size(); ++i) {
      if (!is_digit_at(rest_, i)) return cannot(kElement, hold);
      microseconds_ = microseconds_ * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(kElement.size());
    return true;
  }

  bool zone() {
    const std::string_view hold = rest_;
    if (rest_.starts_with('Z')) {
      rest_.remove_prefix(1);
      return true;
    }
    if (rest_.size() < 6 || rest_[3] != ':') return cannot("Z07:00", hold);
    const char sign = rest_[0];
    for (const std::size_t i : {1, 2, 4, 5}) {
      if (!is_digit_at(rest_, i)) return cannot("Z07:00", hold);
    }
    const int hours = (rest_[1] - '0') * 10 + (rest_[2] - '0');
    const int minutes = (rest_[4] - '0') * 10 + (rest_[5] - '0');
    rest_.remove_prefix(6);
    if (hours > 24) return out_of_range("time zone offset hour");
    if (minutes > 60) return out_of_range("time zone offset minute");
    if (sign != '+' && sign != '-') return cannot("Z07:00", hold);
    offset_ = (hours * 60 + minutes) * (sign == '-' ? -1 : 1);
    return true;
  }

  bool end() {
    if (!rest_.empty()) return failed(": extra text: " + quote(rest_));
    return day_ >= 1 && day_ <= days_in(month_, year_) ? true : out_of_range("day");
  }

  // Subtracts the offset from UTC, which is at most a day and an hour.
  void to_utc() {
    int minutes = hour_ * 60 + minute_ - offset_;
    for (; minutes < 0; minutes += 1440) step_day(-1);
    for (; minutes >= 1440; minutes -= 1440) step_day(1);
    hour_ = minutes / 60;
    minute_ = minutes % 60;
  }

  void step_day(int step) {
    day_ += step;
    if (day_ < 1) {
      if (--month_ < 1) {
        month_ = 12;
        --year_;
      }
      day_ = days_in(month_, year_);
    } else if (day_ > days_in(month_, year_)) {
      day_ = 1;
      if (++month_ > 12) {
        month_ = 1;
        ++year_;
      }
    }
  }

  std::string print() {
    to_utc();
    // Go's zero time. (Go treats a zero second with a fraction as non-zero though it prints the
    // same; this case is ignored.)
    if (year_ == 1 && month_ == 1 && day_ == 1 && hour_ == 0 && minute_ == 0 && second_ == 0 &&
        microseconds_ == 0) {
      return {};
    }
    std::string text;
    append_padded(text, year_, 4, '-');
    append_padded(text, month_, 2, '-');
    append_padded(text, day_, 2, 'T');
    append_padded(text, hour_, 2, ':');
    append_padded(text, minute_, 2, ':');
    append_padded(text, second_, 2, micro_ ? '.' : 'Z');
    if (micro_) append_padded(text, microseconds_, 6, 'Z');
    return text;
  }

  std::string_view text_;
  std::string_view rest_;
  bool micro_;
  int year_ = 0, month_ = 0, day_ = 0, hour_ = 0, minute_ = 0, second_ = 0;
  int microseconds_ = 0;
  int offset_ = 0;  // minutes
  std::string error_;
};

int two_digits(std::string_view text, std::size_t at) {
  return (text[at] - '0') * 10 + (text[at + 1] - '0');
}

}  // namespace

GoTime normalise_go_time(std::string_view text, TimeLayout layout) {
  return LayoutParser(text, layout).run();
}

bool is_canonical_go_time(std::string_view text, TimeLayout layout) {
  constexpr std::string_view kShape = "0000-00-00T00:00:00.000000Z";
  const std::string_view shape =
      layout == TimeLayout::kMicroseconds ? kShape : kShape.substr(0, 19);
  if (text.size() != (layout == TimeLayout::kMicroseconds ? 27u : 20u) || text.back() != 'Z') {
    return false;
  }
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == '0' ? !is_digit_at(text, i) : text[i] != shape[i]) return false;
  }
  const int year = two_digits(text, 0) * 100 + two_digits(text, 2);
  const int month = two_digits(text, 5);
  const int day = two_digits(text, 8);
  return year > 1 && month >= 1 && month <= 12 && day >= 1 && day <= days_in(month, year) &&
         two_digits(text, 11) < 24 && two_digits(text, 14) < 60 && two_digits(text, 17) < 60;
}

}  // namespace tabernetes
