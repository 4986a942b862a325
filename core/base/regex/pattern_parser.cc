// Source: Go 1.25 regexp/syntax/parse.go.
#include "base/regex/pattern_parser.h"

#include <algorithm>
#include <utility>

#include "base/regex/pattern_classes.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"

namespace tabernetes {
namespace {

using Op = Pattern::Op;
using Node = PatternNode;

constexpr int kMostRepeats = 1000;  // as in RE2
constexpr int kDeepest = 200;
constexpr int kEndless = Node::kEndless;

Node runes_node(Runes runes) {
  normalise(runes);
  return {.kind = Node::Kind::kRunes, .runes = std::move(runes)};
}
Node assertion_node(Op op) { return {.kind = Node::Kind::kAssertion, .assertion = op}; }

struct Flags {
  bool fold_case = false, multi_line = false, dot_is_all = false, swap_lazy = false;
};

// Parses the text into a tree. After the first error `error` is set and the result is meaningless.
class PatternParser {
 public:
  explicit PatternParser(std::string_view text) : text_(text) {}

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
      // After flags or an empty quotation, a repetition applies to what precedes them.
      if (!node.children.empty()) node.children.back() = repeated(std::move(node.children.back()));
      if (done() || peek() == '|' || peek() == ')') break;
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

  // Reads literal characters up to \E; a repetition after \E applies to the last one.
  void quoted(Node& node) {
    while (!done() && !take("\\E")) {
      Node character = literal(rune());
      const bool last = take("\\E");
      node.children.push_back(last ? repeated(std::move(character)) : std::move(character));
      if (last) return;
    }
  }

  // Reads flags after "(?" that hold for the rest of the group. Returns false if a group begins
  // instead or the syntax is wrong.
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

  // Reads a repetition operator and its counts; returns false if there is none.
  bool read_repetition(int& least, int& most) {
    if (done()) return false;
    if (take("*")) return least = 0, most = kEndless, true;
    if (take("+")) return least = 1, most = kEndless, true;
    if (take("?")) return least = 0, most = 1, true;
    return read_counts(least, most);
  }

  // Reads {n} {n,} {n,m}; anything else leaves the brace a literal.
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
    while (at_ < text_.size() && is_digit(peek())) {
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

  // Reads one character.
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
    while (at_ < text_.size() && is_word_character(peek())) ++at_;
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

  // Reads \d \w \s \pL \p{L} or a negated form, backslash included; returns false if there is none.
  bool read_class(Runes& runes) {
    const std::size_t begin = at_;
    if (peek() != '\\' || at_ + 1 >= text_.size()) return false;
    const char letter = text_[at_ + 1];
    const char lower = static_cast<char>(letter | 0x20);
    Runes found;
    if (lower == 'p') {
      read_category(begin, found);
    } else if (add_named({&lower, 1}, found)) {
      at_ += 2;
      if (flags_.fold_case) fold_case(found);
    } else {
      return false;
    }
    if (letter < 'a') invert(found);
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
    if (!add_category(name, runes)) return fail("invalid character class range", since(begin));
    if (flags_.fold_case) fold_case(runes);
    if (inverted) invert(runes);
  }

  // Reads an escape that denotes one character, after the backslash.
  char32_t escaped_rune(std::size_t begin) {
    constexpr std::string_view kNames = "tnrfva";
    constexpr std::string_view kValues = "\t\n\r\f\v\a";
    const char32_t c = at_ < text_.size() ? rune() : 'q';
    const std::size_t known = c < 0x80 ? kNames.find(static_cast<char>(c)) : kNames.npos;
    if (known != kNames.npos) return static_cast<char32_t>(kValues[known]);
    if (c == 'x') return hexadecimal(begin);
    const bool octal_behind = is_octal(peek()) && at_ < text_.size();
    if (c == '0' || (c >= '1' && c <= '7' && octal_behind)) return octal(c - '0');
    if (c >= 0x80 || (c != '_' && is_word_character(static_cast<char>(c)))) {
      fail("invalid escape sequence", since(begin));
    }
    return c;
  }

  char32_t octal(char32_t value) {
    for (int i = 0; i < 2 && at_ < text_.size() && is_octal(peek()); ++i) {
      value = value * 8 + static_cast<char32_t>(text_[at_++] - '0');
    }
    return value;
  }

  // Reads \xHH or \x{HHHH}, after the x.
  char32_t hexadecimal(std::size_t begin) {
    const bool braces = take("{");
    char32_t value = 0;
    int digits = 0;
    for (; at_ < text_.size() && hex_value(peek()) >= 0 && (braces || digits < 2); ++digits) {
      value =
          std::min<char32_t>(value * 16 + static_cast<char32_t>(hex_value(text_[at_++])), 0x110000);
    }
    const bool good = braces ? digits > 0 && value <= kLastRune && take("}") : digits == 2;
    if (!good) {
      if (at_ < text_.size()) rune();
      fail("invalid escape sequence", since(begin));
    }
    return value;
  }

  // Reads [...] after the opening bracket.
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

  // Reads a, a-z, \d or [:alpha:].
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
    if (flags_.fold_case) fold_case(found);
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
  Flags group_flags_;  // of the group whose flags read_flags() has read
};

}  // namespace

tl::expected<PatternNode, std::string> parse_pattern(std::string_view text) {
  PatternParser parser(text);
  Node node = parser.parse();
  if (!parser.error.empty()) return tl::make_unexpected(std::move(parser.error));
  return node;
}

}  // namespace tabernetes
