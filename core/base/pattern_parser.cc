#include "base/pattern_parser.h"

#include <algorithm>
#include <utility>

namespace tabernetes {
namespace {

using Bytes = std::bitset<256>;
using Op = Pattern::Op;
using Node = PatternNode;

constexpr int kMostRepeats = 1000;  // as RE2
constexpr int kDeepest = 200;
constexpr int kEndless = Node::kEndless;

Bytes range(unsigned char first, unsigned char last) {
  Bytes bytes;
  for (unsigned c = first; c <= last; ++c) bytes.set(c);
  return bytes;
}

Bytes one(char c) { return range(static_cast<unsigned char>(c), static_cast<unsigned char>(c)); }

Bytes word_bytes() { return range('a', 'z') | range('A', 'Z') | range('0', '9') | one('_'); }

// \d \w \s and their opposites.
bool read_class_letter(char letter, Bytes& bytes) {
  switch (letter | 0x20) {
    case 'd':
      bytes = range('0', '9');
      break;
    case 'w':
      bytes = word_bytes();
      break;
    case 's':
      bytes = one(' ') | one('\t') | one('\n') | one('\f') | one('\r');
      break;
    default:
      return false;
  }
  if (letter < 'a') bytes.flip();
  return true;
}

Node bytes_node(const Bytes& bytes) { return {.kind = Node::Kind::kBytes, .bytes = bytes}; }
Node assertion_node(Op op) { return {.kind = Node::Kind::kAssertion, .assertion = op}; }

// text → tree. After the first mistake `error` is set and the rest is of no meaning.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Node parse() {
    read_leading_flags();
    Node node = alternatives(0);
    if (error.empty() && !done()) fail("unexpected )", text_);
    return node;
  }

  std::string error;

 private:
  bool done() const { return at_ >= text_.size() || !error.empty(); }
  char peek() const { return text_[at_]; }
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

  void read_leading_flags() {
    for (bool more = true; more;) {
      const bool fold = take("(?i)");
      const bool all = take("(?s)");
      fold_case_ |= fold;
      dot_is_all_ |= all;
      more = fold || all;
    }
  }

  Node alternatives(int depth) {
    Node node{.kind = Node::Kind::kAlternatives};
    do node.children.push_back(sequence(depth));
    while (!done() && take("|"));
    return node;
  }

  Node sequence(int depth) {
    Node node;
    while (!done() && peek() != '|' && peek() != ')') {
      node.children.push_back(repeated(atom(depth)));
    }
    return node;
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
      fail("invalid repeat count", text_.substr(begin, at_ - begin));
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
    return at_ > begin;
  }

  Node repeated(Node node) {
    int least = 0;
    int most = 0;
    const std::size_t first = at_;
    if (!read_repetition(least, most)) return node;
    take("?");  // lazy: whether something matches does not hang on it
    const std::size_t second = at_;
    int again = 0;
    if (read_repetition(again, again)) {
      fail("invalid nested repetition operator", text_.substr(first, at_ - first));
    }
    at_ = second;
    Node repeat{.kind = Node::Kind::kRepeat, .least = least, .most = most};
    repeat.children.push_back(std::move(node));
    return repeat;
  }

  Node atom(int depth) {
    const std::size_t begin = at_;
    const char c = text_[at_++];
    switch (c) {
      case '(':
        return group(begin, depth);
      case '[':
        return bytes_node(char_class(begin));
      case '.':
        return bytes_node(dot_is_all_ ? Bytes().set() : Bytes(one('\n')).flip());
      case '^':
        return assertion_node(Op::kBegin);
      case '$':
        return assertion_node(Op::kEnd);
      case '\\':
        return escape(begin);
      case '*':
      case '+':
      case '?':
        fail("missing argument to repetition operator", text_.substr(begin, 1));
        break;
      default:
        break;
    }
    return bytes_node(folded(one(c)));
  }

  Node group(std::size_t begin, int depth) {
    if (depth >= kDeepest) fail("expression nests too deeply", text_);
    if (take("?") && !take(":") && !read_name()) {
      fail("invalid or unsupported Perl syntax", text_.substr(begin, 3));
    }
    Node node;
    if (error.empty()) node = alternatives(depth + 1);
    if (error.empty() && !take(")")) fail("missing closing )", text_);
    return node;
  }

  bool read_name() {
    if (!take("P<") && !take("<")) return false;
    while (at_ < text_.size() && is_word_byte(static_cast<unsigned char>(peek()))) ++at_;
    return take(">");
  }

  Node escape(std::size_t begin) {
    if (at_ >= text_.size()) {
      fail("trailing backslash at end of expression", "");
      return {};
    }
    switch (peek()) {
      case 'A':
        return ++at_, assertion_node(Op::kBegin);
      case 'z':
        return ++at_, assertion_node(Op::kEnd);
      case 'b':
        return ++at_, assertion_node(Op::kWordBoundary);
      case 'B':
        return ++at_, assertion_node(Op::kNoWordBoundary);
      default:
        break;
    }
    Bytes bytes;
    if (read_class_letter(peek(), bytes)) return ++at_, bytes_node(bytes);
    return bytes_node(folded(one(escaped_char(begin))));
  }

  // What is behind a backslash and stands for one character.
  char escaped_char(std::size_t begin) {
    constexpr std::string_view kNames = "tnrfva";
    constexpr std::string_view kValues = "\t\n\r\f\v\a";
    const char c = at_ < text_.size() ? text_[at_++] : 'q';
    if (const std::size_t known = kNames.find(c); known != kNames.npos) return kValues[known];
    if (c == 'x' && at_ + 2 <= text_.size() && hex(text_[at_]) >= 0 && hex(text_[at_ + 1]) >= 0) {
      at_ += 2;
      return static_cast<char>(hex(text_[at_ - 2]) * 16 + hex(text_[at_ - 1]));
    }
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || is_word_byte(byte)) {
      fail("invalid escape sequence", text_.substr(begin, at_ - begin));
    }
    return c;
  }

  static int hex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
  }

  // [...], behind its first bracket.
  Bytes char_class(std::size_t begin) {
    const bool inverted = take("^");
    Bytes bytes;
    for (bool first = true; first || (at_ < text_.size() && peek() != ']'); first = false) {
      if (at_ >= text_.size() || !error.empty()) break;
      if (text_.substr(at_).starts_with("[:") || static_cast<unsigned char>(peek()) >= 0x80) {
        fail("unsupported character class", text_.substr(begin));
        break;
      }
      bytes |= class_item();
    }
    if (!take("]")) fail("missing closing ]", text_.substr(begin));
    bytes = folded(bytes);
    return inverted ? bytes.flip() : bytes;
  }

  // a, a-z, \d
  Bytes class_item() {
    const std::size_t begin = at_;
    Bytes bytes;
    if (peek() == '\\' && at_ + 1 < text_.size() && read_class_letter(text_[at_ + 1], bytes)) {
      at_ += 2;
      return bytes;
    }
    const char first = class_char();
    const std::string_view rest = text_.substr(at_);
    if (rest.size() < 2 || rest[0] != '-' || rest[1] == ']') return one(first);
    ++at_;
    const char last = class_char();
    if (static_cast<unsigned char>(last) < static_cast<unsigned char>(first)) {
      fail("invalid character class range", text_.substr(begin, at_ - begin));
    }
    return range(static_cast<unsigned char>(first), static_cast<unsigned char>(last));
  }

  char class_char() {
    const std::size_t begin = at_;
    const char c = text_[at_++];
    return c == '\\' ? escaped_char(begin) : c;
  }

  Bytes folded(Bytes bytes) const {
    if (!fold_case_) return bytes;
    for (unsigned c = 'a'; c <= 'z'; ++c) {
      const bool either = bytes.test(c) || bytes.test(c - 0x20);
      bytes.set(c, either);
      bytes.set(c - 0x20, either);
    }
    return bytes;
  }

  const std::string_view text_;
  std::size_t at_ = 0;
  bool fold_case_ = false;
  bool dot_is_all_ = false;
};

}  // namespace

tl::expected<PatternNode, std::string> parse_pattern(std::string_view text) {
  Parser parser(text);
  Node node = parser.parse();
  if (!parser.error.empty()) return tl::make_unexpected(std::move(parser.error));
  return node;
}

bool is_word_byte(unsigned char c) { return word_bytes().test(c); }

}  // namespace tabernetes
