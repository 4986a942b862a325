// The four formats that go-yaml v2 tries with Go's time.Parse: 2006-1-2, 2006-1-2T15:4:5.9Z07:00,
// the same with `t`, and 2006-1-2 15:4:5.9. Tested by tests/core/codec/yaml_writer_test.cc.
#include "base/text/ascii.h"
#include "codec/yaml_scalar.h"

namespace tabernetes::codec {
namespace {

class TimestampReader {
 public:
  explicit TimestampReader(std::string_view text) : text_(text) {}

  bool read() {
    if (!date()) return false;
    if (text_.empty()) return true;
    if (take('T') || take('t')) return clock() && zone() && text_.empty();
    if (!take(' ')) return false;
    while (take(' ')) {
    }
    return clock() && text_.empty();
  }

 private:
  bool take(char c) {
    if (text_.empty() || text_[0] != c) return false;
    text_.remove_prefix(1);
    return true;
  }

  // Reads `least` to `most` digits with a value up to `limit`.
  bool number(int least, int most, int limit, int& value) {
    int count = 0;
    value = 0;
    while (count < most && !text_.empty() && is_digit(text_[0])) {
      value = value * 10 + (text_[0] - '0');
      text_.remove_prefix(1);
      ++count;
    }
    return count >= least && value <= limit;
  }

  bool date() {
    int year = 0, month = 0, day = 0;
    if (!number(4, 4, 9999, year) || !take('-') || !number(1, 2, 12, month) || !take('-') ||
        !number(1, 2, 31, day) || month < 1 || day < 1) {
      return false;
    }
    const bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    const bool is_short = month == 4 || month == 6 || month == 9 || month == 11;
    return day <= (month == 2 ? (is_leap ? 29 : 28) : is_short ? 30 : 31);
  }

  bool clock() {
    int part = 0;
    if (!number(1, 2, 23, part) || !take(':') || !number(1, 2, 59, part) || !take(':') ||
        !number(1, 2, 59, part)) {
      return false;
    }
    if (text_.size() >= 2 && (text_[0] == '.' || text_[0] == ',') && is_digit(text_[1])) {
      text_.remove_prefix(1);
      while (!text_.empty() && is_digit(text_[0])) text_.remove_prefix(1);
    }
    return true;
  }

  bool zone() {
    if (take('Z')) return true;
    int part = 0;
    return (take('+') || take('-')) && number(2, 2, 24, part) && take(':') &&
           number(2, 2, 60, part);
  }

  std::string_view text_;
};

}  // namespace

bool is_yaml_timestamp(std::string_view text) { return TimestampReader(text).read(); }

}  // namespace tabernetes::codec
