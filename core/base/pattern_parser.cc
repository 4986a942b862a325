// Source: Go 1.25 regexp/syntax/parse.go.
#include "base/pattern_parser.h"

#include <algorithm>
#include <utility>

#include "base/sort.h"
#include "base/utf8.h"

namespace tabernetes {
namespace {

using Op = Pattern::Op;
using Node = PatternNode;
using Runes = std::vector<RuneRange>;

constexpr int kMostRepeats = 1000;  // as RE2
constexpr int kDeepest = 200;
constexpr int kEndless = Node::kEndless;
constexpr char32_t kLastRune = 0x10ffff;

struct NamedClass {
  std::string_view name;
  std::string_view ranges;  // pairs of characters
};

constexpr NamedClass kClasses[] = {
    {"d", "09"},
    {"s", "\t\n\f\r  "},
    {"w", "09AZ__az"},
    {"[:alnum:]", "09AZaz"},
    {"[:alpha:]", "AZaz"},
    {"[:ascii:]", {"\0\x7f", 2}},
    {"[:blank:]", "\t\t  "},
    {"[:cntrl:]", {"\0\x1f\x7f\x7f", 4}},
    {"[:digit:]", "09"},
    {"[:graph:]", "!~"},
    {"[:lower:]", "az"},
    {"[:print:]", " ~"},
    {"[:punct:]", "!/:@[`{~"},
    {"[:space:]", "\t\r  "},
    {"[:upper:]", "AZ"},
    {"[:word:]", "09AZ__az"},
    {"[:xdigit:]", "09AFaf"},
};

// Unicode's categories, as far as they are in use: within Latin, Greek and Cyrillic exact for upper
// and lower case, beyond them by blocks.
struct UnicodeClass {
  std::string_view name;
  RuneRange ranges[12];
};

constexpr UnicodeClass kUnicode[] = {
    {"L",
     {{'A', 'Z'},
      {'a', 'z'},
      {0xaa, 0xaa},
      {0xb5, 0xb5},
      {0xba, 0xba},
      {0xc0, 0xd6},
      {0xd8, 0xf6},
      {0xf8, 0x2c1},
      {0x370, 0x1fff},
      {0x2c00, 0x2dff},
      {0x3005, 0xd7ff},
      {0xf900, 0x3ffff}}},
    {"Lu",
     {{'A', 'Z'}, {0xc0, 0xd6}, {0xd8, 0xde}, {0x386, 0x38f}, {0x391, 0x3ab}, {0x400, 0x42f}}},
    {"Ll", {{'a', 'z'}, {0xb5, 0xb5}, {0xdf, 0xf6}, {0xf8, 0xff}, {0x3ac, 0x3ce}, {0x430, 0x45f}}},
    {"N",
     {{'0', '9'},
      {0xb2, 0xb3},
      {0xb9, 0xb9},
      {0xbc, 0xbe},
      {0x660, 0x669},
      {0x6f0, 0x6f9},
      {0x966, 0x96f},
      {0x2070, 0x2089},
      {0x2150, 0x2189},
      {0x2460, 0x249b},
      {0xff10, 0xff19}}},
    {"Nd", {{'0', '9'}, {0x660, 0x669}, {0x6f0, 0x6f9}, {0x966, 0x96f}, {0xff10, 0xff19}}},
    {"P",
     {{'!', '#'},
      {'%', '*'},
      {',', '/'},
      {':', ';'},
      {'?', '@'},
      {'[', ']'},
      {'_', '_'},
      {'{', '{'},
      {'}', '}'},
      {0xa1, 0xa1},
      {0x2010, 0x205e},
      {0x3001, 0x3003}}},
    {"S",
     {{'$', '$'},
      {'+', '+'},
      {'<', '>'},
      {'^', '^'},
      {'`', '`'},
      {'|', '|'},
      {'~', '~'},
      {0xa2, 0xa9},
      {0xac, 0xac},
      {0x20a0, 0x20c0},
      {0x2190, 0x245f},
      {0x2500, 0x27bf}}},
    {"Z",
     {{' ', ' '},
      {0xa0, 0xa0},
      {0x1680, 0x1680},
      {0x2000, 0x200a},
      {0x2028, 0x2029},
      {0x202f, 0x202f},
      {0x205f, 0x205f},
      {0x3000, 0x3000}}},
    {"Zs",
     {{' ', ' '},
      {0xa0, 0xa0},
      {0x1680, 0x1680},
      {0x2000, 0x200a},
      {0x202f, 0x202f},
      {0x205f, 0x205f},
      {0x3000, 0x3000}}},
    {"C", {{1, 0x1f}, {0x7f, 0x9f}, {0xad, 0xad}, {0xd800, 0xf8ff}}},
    {"Cc", {{1, 0x1f}, {0x7f, 0x9f}}},
    {"M", {{0x300, 0x36f}, {0x483, 0x489}, {0x591, 0x5bd}, {0x20d0, 0x20f0}, {0xfe00, 0xfe0f}}},
    {"Latin",
     {{'A', 'Z'},
      {'a', 'z'},
      {0xaa, 0xaa},
      {0xba, 0xba},
      {0xc0, 0xd6},
      {0xd8, 0xf6},
      {0xf8, 0x2b8},
      {0x1e00, 0x1eff}}},
    {"Greek",
     {{0x370, 0x373},
      {0x375, 0x377},
      {0x37a, 0x37d},
      {0x384, 0x3e1},
      {0x3f0, 0x3ff},
      {0x1f00, 0x1ffe}}},
    {"Cyrillic", {{0x400, 0x484}, {0x487, 0x52f}, {0x1c80, 0x1c88}, {0x2de0, 0x2dff}}},
    {"Han",
     {{0x2e80, 0x2fd5},
      {0x3005, 0x3007},
      {0x3021, 0x3029},
      {0x3400, 0x4dbf},
      {0x4e00, 0x9fff},
      {0xf900, 0xfad9},
      {0x20000, 0x3134a}}},
    {"Any", {{0, kLastRune}}},
};

bool is_word(char c) {
  return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_';
}

bool add_named(std::string_view name, Runes& runes) {
  for (const NamedClass& known : kClasses) {
    if (known.name != name) continue;
    for (std::size_t i = 0; i < known.ranges.size(); i += 2) {
      runes.push_back({static_cast<unsigned char>(known.ranges[i]),
                       static_cast<unsigned char>(known.ranges[i + 1])});
    }
    return true;
  }
  return false;
}

// In order, without gaps and overlaps.
void normalise(Runes& runes) {
  sort_stable(runes, [](const RuneRange& a, const RuneRange& b) { return a.first < b.first; });
  std::size_t kept = 0;
  for (std::size_t i = 1; i < runes.size(); ++i) {
    if (runes[i].first <= runes[kept].last + 1) {
      runes[kept].last = std::max(runes[kept].last, runes[i].last);
    } else {
      runes[++kept] = runes[i];
    }
  }
  if (!runes.empty()) runes.resize(kept + 1);
}

void invert(Runes& runes) {
  normalise(runes);
  Runes others;
  char32_t next = 0;
  for (const RuneRange& range : runes) {
    if (range.first > next) others.push_back({next, range.first - 1});
    next = range.last + 1;
  }
  if (next <= kLastRune) others.push_back({next, kLastRune});
  runes = std::move(others);
}

// Adds what differs only in case: of the Latin, Greek and Cyrillic letters.
void fold_case(Runes& runes) {
  struct Shift {
    RuneRange upper;
    int distance;
  };
  constexpr Shift kShifts[] = {{{'A', 'Z'}, 32},
                               {{0xc0, 0xde}, 32},
                               {{0x391, 0x3a9}, 32},
                               {{0x410, 0x42f}, 32},
                               {{0x400, 0x40f}, 80}};
  const std::size_t count = runes.size();
  for (std::size_t i = 0; i < count; ++i) {
    for (const Shift& shift : kShifts) {
      const auto distance = static_cast<char32_t>(shift.distance);
      const RuneRange range = runes[i];
      const char32_t first = std::max(range.first, shift.upper.first);
      const char32_t last = std::min(range.last, shift.upper.last);
      if (first <= last) runes.push_back({first + distance, last + distance});
      const char32_t low_first = std::max<char32_t>(range.first, shift.upper.first + distance);
      const char32_t low_last = std::min<char32_t>(range.last, shift.upper.last + distance);
      if (low_first <= low_last) runes.push_back({low_first - distance, low_last - distance});
    }
  }
}

Node runes_node(Runes runes) {
  normalise(runes);
  return {.kind = Node::Kind::kRunes, .runes = std::move(runes)};
}
Node assertion_node(Op op) { return {.kind = Node::Kind::kAssertion, .assertion = op}; }

struct Flags {
  bool fold_case = false, multi_line = false, dot_is_all = false, swap_lazy = false;
};

// text → tree. After the first mistake `error` is set and the rest is of no meaning.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Node parse() {
    if (!is_valid_utf8(text_)) fail("invalid UTF-8", text_);
    Node node = alternatives(0);
    if (error.empty() && !done()) fail("unexpected )", text_);
    return node;
  }

  std::string error;

 private:
  bool done() const { return at_ >= text_.size() || !error.empty(); }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(std::string_view wanted) {
    if (!text_.substr(at_).starts_with(wanted)) return false;
    at_ += wanted.size();
    return true;
  }

  void fail(std::string_view what, std::string_view where) {
    if (!error.empty()) return;
    error = "error parsing regexp: ";
    error.append(what).append(": `").append(where).append("`");
  }
  std::string_view since(std::size_t begin) const { return text_.substr(begin, at_ - begin); }

  Node alternatives(int depth) {
    Node node{.kind = Node::Kind::kAlternatives};
    do node.children.push_back(sequence(depth));
    while (!done() && take("|"));
    return node;
  }

  Node sequence(int depth) {
    Node node;
    while (!done() && peek() != '|' && peek() != ')') {
      if (take("\\Q")) {
        quoted(node);
        continue;
      }
      const std::size_t begin = at_;
      if (take("(?") && read_flags(begin)) continue;
      at_ = begin;
      node.children.push_back(repeated(atom(depth)));
    }
    return node;
  }

  // All characters up to \E stand for themselves; the last may be repeated behind it.
  void quoted(Node& node) {
    while (!done() && !take("\\E")) {
      Node character = literal(rune());
      const bool last = take("\\E");
      node.children.push_back(last ? repeated(std::move(character)) : std::move(character));
      if (last) return;
    }
  }

  // Behind "(?": flags for the rest of the group. False: a group begins, or a mistake is made.
  bool read_flags(std::size_t begin) {
    if (take("P<") || take("<") || peek() == ':') return false;
    Flags flags = flags_;
    bool on = true;
    bool any = false;
    for (; !done(); any = true) {
      const char c = text_[at_++];
      if (c == 'i') {
        flags.fold_case = on;
      } else if (c == 'm') {
        flags.multi_line = on;
      } else if (c == 's') {
        flags.dot_is_all = on;
      } else if (c == 'U') {
        flags.swap_lazy = on;
      } else if (c == '-' && on) {
        on = false;
      } else if ((c == ')' || c == ':') && any && text_[at_ - 2] != '-') {
        group_flags_ = flags;
        if (c == ')') flags_ = flags;
        return c == ')';
      } else {
        break;
      }
    }
    const bool ended = at_ >= text_.size();
    fail(ended ? "missing closing )" : "invalid or unsupported Perl syntax",
         ended ? text_.substr(begin) : since(begin));
    return false;
  }

  // Whether a repetition stands here; its counts.
  bool read_repetition(int& least, int& most) {
    if (done()) return false;
    if (take("*")) return least = 0, most = kEndless, true;
    if (take("+")) return least = 1, most = kEndless, true;
    if (take("?")) return least = 0, most = 1, true;
    return read_counts(least, most);
  }

  // {n} {n,} {n,m}; anything else leaves the brace a character.
  bool read_counts(int& least, int& most) {
    const std::size_t begin = at_;
    if (!take("{")) return false;
    bool good = read_number(least);
    most = least;
    if (good && take(",")) {
      if (at_ < text_.size() && peek() == '}') {
        most = kEndless;
      } else {
        good = read_number(most);
      }
    }
    if (!good || !take("}")) {
      at_ = begin;
      return false;
    }
    if (least > kMostRepeats || most > kMostRepeats || (most != kEndless && most < least)) {
      fail("invalid repeat count", since(begin));
    }
    return true;
  }

  bool read_number(int& number) {
    const std::size_t begin = at_;
    number = 0;
    while (at_ < text_.size() && peek() >= '0' && peek() <= '9') {
      number = std::min(number * 10 + (peek() - '0'), kMostRepeats + 1);
      ++at_;
    }
    return at_ > begin && (at_ == begin + 1 || text_[begin] != '0');
  }

  Node repeated(Node node) {
    int least = 0;
    int most = 0;
    const std::size_t first = at_;
    if (!read_repetition(least, most)) return node;
    const bool lazy = take("?") != flags_.swap_lazy;
    const std::size_t second = at_;
    int again = 0;
    if (error.empty() && read_repetition(again, again)) {
      fail("invalid nested repetition operator", since(first));
    }
    at_ = second;
    Node repeat{.kind = Node::Kind::kRepeat, .least = least, .most = most, .lazy = lazy};
    repeat.children.push_back(std::move(node));
    return repeat;
  }

  // The character here, which is read.
  char32_t rune() {
    const Rune rune = decode_rune(text_.substr(at_));
    at_ += rune.size;
    return rune.value;
  }

  RuneRange one(char32_t rune) const { return {rune, rune}; }

  Node literal(char32_t rune) const {
    Runes runes = {one(rune)};
    if (flags_.fold_case) fold_case(runes);
    return runes_node(std::move(runes));
  }

  Node atom(int depth) {
    const std::size_t begin = at_;
    const char32_t c = rune();
    switch (c) {
      case '(':
        return group(begin, depth);
      case '[':
        return runes_node(char_class(begin));
      case '.': {
        Runes runes = {{0, kLastRune}};
        if (!flags_.dot_is_all) runes = {{0, '\n' - 1}, {'\n' + 1, kLastRune}};
        return runes_node(std::move(runes));
      }
      case '^':
        return assertion_node(flags_.multi_line ? Op::kLineBegin : Op::kBegin);
      case '$':
        return assertion_node(flags_.multi_line ? Op::kLineEnd : Op::kEnd);
      case '\\':
        return escape(begin);
      case '*':
      case '+':
      case '?':
        take("?");
        fail("missing argument to repetition operator", since(begin));
        break;
      case '{': {
        at_ = begin;
        int least = 0;
        if (read_counts(least, least)) {
          fail("missing argument to repetition operator", since(begin));
        }
        at_ = begin + 1;
        break;
      }
      default:
        break;
    }
    return literal(c);
  }

  Node group(std::size_t begin, int depth) {
    if (depth >= kDeepest) fail("expression nests too deeply", text_);
    const Flags outer = flags_;
    if (take("?") && !take(":")) {
      if (text_.substr(at_).starts_with("P<") || peek() == '<') {
        read_name(begin);
      } else {
        at_ = begin + 2;
        if (!read_flags(begin) && error.empty()) flags_ = group_flags_;
      }
    }
    Node node;
    if (error.empty()) node = alternatives(depth + 1);
    if (error.empty() && !take(")")) fail("missing closing )", text_);
    flags_ = outer;
    return node;
  }

  void read_name(std::size_t begin) {
    take("P");
    take("<");
    const std::size_t name = at_;
    while (at_ < text_.size() && is_word(peek())) ++at_;
    if (at_ > name && take(">")) return;
    const std::size_t end = text_.find('>', at_);
    fail("invalid named capture",
         end == text_.npos ? text_.substr(begin) : text_.substr(begin, end + 1 - begin));
  }

  Node escape(std::size_t begin) {
    if (at_ >= text_.size()) {
      fail("trailing backslash at end of expression", "");
      return {};
    }
    constexpr std::string_view kLetters = "AzbB";
    constexpr Op kOps[] = {Op::kBegin, Op::kEnd, Op::kWordBoundary, Op::kNoWordBoundary};
    if (const std::size_t known = kLetters.find(peek()); known != kLetters.npos) {
      return ++at_, assertion_node(kOps[known]);
    }
    Runes runes;
    at_ = begin;
    if (read_class(runes)) return runes_node(std::move(runes));
    at_ = begin + 1;
    return literal(escaped_rune(begin));
  }

  // \d \w \s \pL \p{L} and their opposites, with the backslash; false if none stands here.
  bool read_class(Runes& runes) {
    const std::size_t begin = at_;
    if (peek() != '\\' || at_ + 1 >= text_.size()) return false;
    const char letter = text_[at_ + 1];
    const char lower = static_cast<char>(letter | 0x20);
    Runes found;
    if (lower == 'p') {
      read_category(begin, found);
      if (letter == 'P') invert(found);
    } else if (add_named({&lower, 1}, found)) {
      at_ += 2;
      if (letter < 'a') invert(found);
    } else {
      return false;
    }
    runes.insert(runes.end(), found.begin(), found.end());
    return true;
  }

  void read_category(std::size_t begin, Runes& runes) {
    at_ += 2;
    if (at_ >= text_.size()) return fail("invalid character class range", text_.substr(begin));
    std::string_view name = text_.substr(at_, 1);
    if (name == "{") {
      const std::size_t end = text_.find('}', at_);
      if (end == text_.npos) return fail("invalid character class range", text_.substr(begin));
      name = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
    } else {
      at_ += decode_rune(text_.substr(at_)).size;
    }
    const bool inverted = name.starts_with('^');
    if (inverted) name.remove_prefix(1);
    for (const UnicodeClass& known : kUnicode) {
      if (known.name != name) continue;
      for (const RuneRange& range : known.ranges) {
        if (range.last != 0) runes.push_back(range);
      }
      if (inverted) invert(runes);
      return;
    }
    fail("invalid character class range", since(begin));
  }

  // What is behind a backslash and stands for one character.
  char32_t escaped_rune(std::size_t begin) {
    constexpr std::string_view kNames = "tnrfva";
    constexpr std::string_view kValues = "\t\n\r\f\v\a";
    const char32_t c = at_ < text_.size() ? rune() : 'q';
    const std::size_t known = c < 0x80 ? kNames.find(static_cast<char>(c)) : kNames.npos;
    if (known != kNames.npos) return static_cast<char32_t>(kValues[known]);
    if (c == 'x') return hexadecimal(begin);
    const bool octal_behind = peek() >= '0' && peek() <= '7' && at_ < text_.size();
    if (c == '0' || (c >= '1' && c <= '7' && octal_behind)) return octal(c - '0');
    if (c >= 0x80 || is_word(static_cast<char>(c))) fail("invalid escape sequence", since(begin));
    return c;
  }

  char32_t octal(char32_t value) {
    for (int i = 0; i < 2 && at_ < text_.size() && peek() >= '0' && peek() <= '7'; ++i) {
      value = value * 8 + static_cast<char32_t>(text_[at_++] - '0');
    }
    return value;
  }

  // \xHH \x{HHHH}, behind the x.
  char32_t hexadecimal(std::size_t begin) {
    const bool braces = take("{");
    char32_t value = 0;
    int digits = 0;
    for (; at_ < text_.size() && hex(peek()) >= 0 && (braces || digits < 2); ++digits) {
      value = std::min<char32_t>(value * 16 + static_cast<char32_t>(hex(text_[at_++])), 0x110000);
    }
    const bool good = braces ? digits > 0 && value <= kLastRune && take("}") : digits == 2;
    if (!good) {
      if (at_ < text_.size()) rune();
      fail("invalid escape sequence", since(begin));
    }
    return value;
  }

  static int hex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
  }

  // [...], behind its first bracket.
  Runes char_class(std::size_t begin) {
    const bool inverted = take("^");
    Runes runes;
    for (bool first = true; first || (at_ < text_.size() && peek() != ']'); first = false) {
      if (at_ >= text_.size() || !error.empty()) break;
      class_item(runes);
    }
    if (!take("]")) fail("missing closing ]", text_.substr(begin));
    if (flags_.fold_case) fold_case(runes);
    if (inverted) invert(runes);
    return runes;
  }

  // a, a-z, \d, [:alpha:]
  void class_item(Runes& runes) {
    const std::size_t begin = at_;
    if (take("[:")) {
      const std::size_t end = text_.find(":]", at_);
      if (end != text_.npos) return read_posix(begin, end + 2, runes);
      at_ = begin;
    }
    if (read_class(runes)) return;
    const char32_t low = class_rune();
    char32_t high = low;
    const std::string_view behind = text_.substr(at_);
    if (behind.size() > 1 && behind[0] == '-' && behind[1] != ']') {
      ++at_;
      high = class_rune();
      if (high < low) fail("invalid character class range", since(begin));
    }
    runes.push_back({low, high});
  }

  void read_posix(std::size_t begin, std::size_t end, Runes& runes) {
    at_ = end;
    std::string name(since(begin));
    const bool inverted = name.starts_with("[:^");
    if (inverted) name.erase(2, 1);
    Runes found;
    if (!add_named(name, found)) return fail("invalid character class range", since(begin));
    if (inverted) invert(found);
    runes.insert(runes.end(), found.begin(), found.end());
  }

  char32_t class_rune() {
    const std::size_t begin = at_;
    if (at_ >= text_.size()) return fail("missing closing ]", text_.substr(begin)), U'?';
    const char32_t c = rune();
    return c == '\\' ? escaped_rune(begin) : c;
  }

  const std::string_view text_;
  std::size_t at_ = 0;
  Flags flags_;
  Flags group_flags_;  // of the group that read_flags() has begun
};

}  // namespace

tl::expected<PatternNode, std::string> parse_pattern(std::string_view text) {
  Parser parser(text);
  Node node = parser.parse();
  if (!parser.error.empty()) return tl::make_unexpected(std::move(parser.error));
  return node;
}

}  // namespace tabernetes
