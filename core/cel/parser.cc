#include "cel/parser.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/go/text.h"
#include "base/numbers/parse_float.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "cel/lexer.h"

namespace tabernetes::cel {
namespace {

using F = Function;

constexpr std::size_t kMostCharacters = 100'000;
constexpr int kDeepestExpression = 250;

// Tokens that may begin an expression; the part in the middle ends a list of arguments.
constexpr std::string_view kExpected[] = {"{'[', '{', '(', ", "')', ", "'.', '-', '!', "};
constexpr std::string_view kExpectedLiterals =
    "'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
// The same after the bracket that opens a list, and the brace that opens a map.
constexpr std::string_view kExpectedInList = "{'[', ']', '{', '(', '.', ',', '-', '!', '?', ";
constexpr std::string_view kExpectedInMap = "{'[', '{', '}', '(', '.', ',', '-', '!', '?', ";

constexpr std::string_view kReservedWords[] = {
    "as",  "break", "const",   "continue",  "else",   "for", "function", "if",   "import",
    "let", "loop",  "package", "namespace", "return", "var", "void",     "while"};

struct Operator {
  std::string_view text;
  Function function;
  int rank;  // higher binds tighter
};

constexpr Operator kOperators[] = {
    {"<", F::kLess, 1},     {"<=", F::kLessEqual, 1}, {">=", F::kGreaterEqual, 1},
    {">", F::kGreater, 1},  {"==", F::kEqual, 1},     {"!=", F::kNotEqual, 1},
    {"in", F::kIn, 1},      {"+", F::kAdd, 2},        {"-", F::kSubtract, 2},
    {"*", F::kMultiply, 3}, {"/", F::kDivide, 3},     {"%", F::kModulo, 3},
};

// After the first syntax error `broken_` is set and parsing stops.
class Parser {
 public:
  Parser(std::string_view source, json::Arena& arena, Issues& issues)
      : issues_(issues), make_{arena}, tokens_(read_tokens(source, issues)) {}

  Expr* parse() {
    Expr* expr = expression();
    if (!broken_ && now().kind != TokenKind::kEnd) leftover();
    return broken_ || !issues_.empty() ? nullptr : expr;
  }

 private:
  const Token& now() const { return tokens_[at_]; }
  const Token& next() { return tokens_[now().kind == TokenKind::kEnd ? at_ : at_++]; }
  bool done() const { return broken_; }

  bool take(std::string_view mark) {
    if (broken_ || !now().is(mark)) return false;
    ++at_;
    return true;
  }

  void syntax_error(const Token& where, std::string message) {
    if (!broken_) issues_.report(where.offset, "Syntax error: " + std::move(message));
    broken_ = true;
  }

  static std::string shown(const Token& token) {
    std::string text(token.text);
    return "'" + text + "'";
  }

  void mismatched(std::string_view expected) {
    syntax_error(now(), "mismatched input " + shown(now()) + " expecting " + std::string(expected));
  }

  // Reports tokens after the end of the expression.
  void leftover() {
    const bool single = tokens_[at_ + 1].kind == TokenKind::kEnd;
    if (single) {
      syntax_error(now(), "extraneous input " + shown(now()) + " expecting <EOF>");
    } else {
      mismatched("<EOF>");
    }
  }

  void expect(std::string_view mark, std::string_view expected) {
    if (broken_ || take(mark)) return;
    if (expected.empty() && now().kind == TokenKind::kEnd) {
      syntax_error(now(), "missing '" + std::string(mark) + "' at '<EOF>'");
    } else {
      mismatched(expected.empty() ? "'" + std::string(mark) + "'" : std::string(expected));
    }
  }

  // Counts a level of nesting during its lifetime.
  class Level {
   public:
    explicit Level(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ <= kDeepestExpression || parser_.broken_) return;
      parser_.issues_.report(Issues::kNowhere, "expression recursion limit exceeded: 250");
      parser_.broken_ = true;
    }
    ~Level() { --parser_.depth_; }

   private:
    Parser& parser_;
  };

  Expr* failed() { return make_.make(ExprKind::kLiteral, now().offset); }

  Expr* expression() {
    const Level level(*this);
    if (broken_) return failed();
    Expr* condition = logical(F::kOr, "||");
    const std::uint32_t offset = now().offset;
    if (!take("?")) return condition;
    Expr* then = logical(F::kOr, "||");
    expect(":", "':'");
    return make_.call(F::kConditional, {condition, then, expression()}, offset);
  }

  // Parses a || b || c, whose terms are sequences of &&, into one call with all terms.
  Expr* logical(Function function, std::string_view mark) {
    std::vector<Expr*> terms;
    std::uint32_t offset = 0;
    do {
      terms.push_back(function == F::kOr ? logical(F::kAnd, "&&") : binary(1));
      if (offset == 0) offset = now().offset;
    } while (take(mark));
    if (terms.size() == 1) return terms.front();
    Expr* call = make_.call(function, {}, offset);
    make_.set_args(call, terms.data(), terms.size());
    return call;
  }

  const Operator* operator_here(int rank) const {
    for (const Operator& op : kOperators) {
      if (op.rank >= rank && now().is(op.text)) return &op;
    }
    return nullptr;
  }

  Expr* binary(int rank) {
    Expr* left = unary();
    int height = 0;
    while (!broken_) {
      const Operator* op = operator_here(rank);
      if (op == nullptr) break;
      const std::uint32_t offset = next().offset;
      Expr* right = binary(op->rank + 1);
      left = make_.call(op->function, {left, right}, offset);
      if (!grows(height)) break;
    }
    return left;
  }

  // Counts one more operator of a chain, whose tree is as deep as the chain is long; returns false
  // and reports an issue beyond the limit.
  bool grows(int& height) {
    if (depth_ + ++height <= kDeepestExpression) return true;
    const Level level(*this);
    if (!broken_) issues_.report(Issues::kNowhere, "max recursion depth exceeded");
    broken_ = true;
    return false;
  }

  Expr* unary() {
    const std::uint32_t offset = now().offset;
    const bool minus = now().is("-");
    if (!minus && !now().is("!")) return member();
    const std::string_view mark = now().text;
    const TokenKind behind = tokens_[at_ + 1].kind;
    if (minus && (behind == TokenKind::kInt || behind == TokenKind::kFloat)) return member();
    bool odd = false;
    while (take(mark)) odd = !odd;
    if (!odd) return member();
    return make_.call(minus ? F::kNegate : F::kNot, {member()}, offset);
  }

  Expr* member() {
    Expr* expr = primary();
    int height = 0;
    while (!broken_) {
      const Token& mark = now();
      if (take(".")) {
        expr = selection(expr, mark.offset);
      } else if (take("[")) {
        const bool optional = take("?");
        Expr* index = expression();
        expect("]", "");
        expr = make_.call(optional ? F::kOptIndex : F::kIndex, {expr, index}, mark.offset);
      } else {
        break;
      }
      if (!grows(height)) break;
    }
    return expr;
  }

  Expr* selection(Expr* target, std::uint32_t offset) {
    const bool optional = take("?");
    const Token name = now();
    if (name.kind == TokenKind::kEscapedIdentifier) {
      issues_.report(name.offset, "unsupported syntax: '`'");
      ++at_;
      return target;
    }
    if (name.kind != TokenKind::kIdentifier) return no_name(name), target;
    ++at_;
    if (optional) {
      return make_.call(F::kOptSelect, {target, make_.literal(make_string(name.text), name.offset)},
                        offset);
    }
    const std::uint32_t open = now().offset;
    if (take("(")) return method(target, name.text, open);
    Expr* select = make_.make(ExprKind::kSelect, offset);
    select->name = name.text;
    make_.set_args(select, &target, 1);
    return select;
  }

  void no_name(const Token& name) {
    const bool end = name.kind == TokenKind::kEnd;
    syntax_error(name, "no viable alternative at input '." +
                           (end ? std::string() : std::string(name.text)) + "'");
    // `in` may still be parsed as an operator.
    broken_ = !name.is("in");
  }

  Expr* method(Expr* target, std::string_view name, std::uint32_t offset) {
    std::vector<Expr*> args = {target};
    expressions(args, ")");
    return call(name, args, true, offset);
  }

  Expr* call(std::string_view name, const std::vector<Expr*>& args, bool method,
             std::uint32_t offset) {
    Expr* made = make_.make(ExprKind::kCall, offset);
    made->name = name;
    made->flag = method;
    make_.set_args(made, args.data(), args.size());
    if (broken_) return made;
    Expr* expanded = expand_macro(made, make_, issues_);
    return expanded == nullptr ? failed() : expanded;
  }

  // Parses expressions separated by commas, up to and including `end`.
  void expressions(std::vector<Expr*>& items, std::string_view end) {
    if (take(end)) return;
    first_argument_ = &now();
    do items.push_back(expression());
    while (take(","));
    if (!broken_ && !now().is(end)) mismatched("{',', '" + std::string(end) + "'}");
    take(end);
  }

  Expr* primary() {
    const Token& token = now();
    if (broken_) return failed();
    if (token.is("(")) return nested();
    if (token.is("[")) return list();
    if (token.is("{")) return map();
    if (token.is("-")) return number();
    switch (token.kind) {
      case TokenKind::kInt:
      case TokenKind::kUint:
      case TokenKind::kFloat:
        return number();
      case TokenKind::kString:
      case TokenKind::kBytes:
        return text();
      case TokenKind::kIdentifier:
        return identifier();
      case TokenKind::kKeyword:
        if (token.text != "in") return word();
        break;
      default:
        if (token.is(".") && tokens_[at_ + 1].kind == TokenKind::kIdentifier) return identifier();
    }
    std::string expected(kExpected[0]);
    if (first_argument_ == &token) expected += kExpected[1];
    expected += kExpected[2];
    if (first_item_ == &token) {
      expected = tokens_[at_ - 1].is("[") ? kExpectedInList : kExpectedInMap;
    }
    expected += kExpectedLiterals;
    if (token.kind == TokenKind::kEnd || !begins_expression(tokens_[at_ + 1])) {
      mismatched(expected);
    } else {
      syntax_error(token, "extraneous input " + shown(token) + " expecting " + expected);
    }
    return failed();
  }

  static bool begins_expression(const Token& token) {
    if (token.kind == TokenKind::kKeyword) return token.text != "in";
    if (token.kind != TokenKind::kMark) return token.kind != TokenKind::kEnd;
    return std::string_view("[{(.-!").find(token.text[0]) != std::string_view::npos &&
           token.text.size() == 1;
  }

  Expr* nested() {
    ++at_;
    Expr* expr = expression();
    expect(")", "");
    return expr;
  }

  Expr* word() {
    const Token& token = next();
    if (token.text == "null") return make_.literal(Value(Kind::kNull), token.offset);
    return make_.literal(make_bool(token.text == "true"), token.offset);
  }

  Expr* number() {
    const std::uint32_t offset = now().offset;
    const bool negative = take("-");
    const Token& token = next();
    Value value;
    bool good = false;
    if (token.kind == TokenKind::kFloat) {
      const auto real = parse_float(token.text);
      good = real.has_value() && *real <= 1.7976931348623157e308;
      value = make_double(negative ? -real.value_or(0) : real.value_or(0));
    } else {
      good = read_natural(token, negative, value);
    }
    if (!good) {
      issues_.report(offset, std::string("invalid ") +
                                 (token.kind == TokenKind::kFloat  ? "double"
                                  : token.kind == TokenKind::kUint ? "uint"
                                                                   : "int") +
                                 " literal");
    }
    return make_.literal(value, offset);
  }

  static bool read_natural(const Token& token, bool negative, Value& value) {
    std::string_view digits = token.text;
    const bool is_uint = token.kind == TokenKind::kUint;
    if (is_uint) digits.remove_suffix(1);
    const std::uint64_t base = digits.starts_with("0x") ? 16 : 10;
    if (base == 16) digits.remove_prefix(2);
    std::uint64_t total = 0;
    for (const char c : digits) {
      const auto digit = static_cast<std::uint64_t>(hex_value(c));
      if (__builtin_mul_overflow(total, base, &total)) return false;
      if (__builtin_add_overflow(total, digit, &total)) return false;
    }
    value = is_uint ? make_uint(total)
                    : make_int(static_cast<std::int64_t>(negative ? 0 - total : total));
    return is_uint || total <= (std::uint64_t{1} << 63) - (negative ? 0 : 1);
  }

  Expr* text() {
    const Token& token = next();
    const bool bytes = token.kind == TokenKind::kBytes;
    std::string out;
    std::string_view error;
    if (!unescape_literal(token.text.substr(bytes ? 1 : 0), bytes, out, error)) {
      issues_.report(token.offset, std::string(error));
    }
    const std::string_view kept = make_.arena.copy(out);
    return make_.literal(make_text(bytes ? Kind::kBytes : Kind::kString, kept), token.offset);
  }

  Expr* identifier() {
    const std::uint32_t offset = now().offset;
    const bool absolute = take(".");
    if (message_here()) return message(offset);
    const Token name = next();
    for (const std::string_view word : kReservedWords) {
      if (word != name.text) continue;
      issues_.report(offset, "reserved identifier: " + std::string(name.text));
    }
    const std::uint32_t open = now().offset;
    if (take("(")) {
      std::vector<Expr*> args;
      expressions(args, ")");
      return call(name.text, args, false, open);
    }
    static_cast<void>(absolute);
    return make_.ident(name.text, name.offset);
  }

  // Returns whether a name and a brace follow: a.b.C{...}.
  bool message_here() const {
    std::size_t at = at_;
    while (tokens_[at].kind == TokenKind::kIdentifier && tokens_[at + 1].is(".")) at += 2;
    return tokens_[at].kind == TokenKind::kIdentifier && tokens_[at + 1].is("{");
  }

  Expr* message(std::uint32_t) {
    const std::string_view first = now().text;
    std::string_view last = first;
    while (!now().is("{")) last = next().text;
    Expr* made = make_.make(ExprKind::kMessage, now().offset);
    made->name = {first.data(), static_cast<std::size_t>(last.data() + last.size() - first.data())};
    ++at_;
    std::vector<Expr*> entries;
    std::vector<std::uint32_t> optional;
    while (!broken_ && !now().is("}")) {
      if (take("?")) optional.push_back(static_cast<std::uint32_t>(entries.size() / 2));
      if (now().kind != TokenKind::kIdentifier)
        mismatched("{'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}");
      const std::string_view field = next().text;
      entries.push_back(make_.literal(make_string(field), now().offset));
      expect(":", "");
      entries.push_back(expression());
      if (!take(",")) break;
    }
    expect("}", "");
    make_.set_args(made, entries.data(), entries.size());
    mark_optional(made, optional);
    return made;
  }

  void mark_optional(Expr* expr, const std::vector<std::uint32_t>& places) {
    if (places.empty()) return;
    const std::size_t words = places.back() / 32 + 1;
    expr->optional = make_.arena.allocate_array<std::uint32_t>(words);
    std::fill(expr->optional, expr->optional + words, 0U);
    for (const std::uint32_t place : places) expr->optional[place / 32] |= 1U << (place % 32);
  }

  Expr* list() {
    Expr* made = make_.make(ExprKind::kList, next().offset);
    std::vector<Expr*> items;
    std::vector<std::uint32_t> optional;
    first_item_ = &now();
    if (now().is(",") && tokens_[at_ + 1].is("]")) ++at_;
    while (!broken_ && !now().is("]") && !(now().kind == TokenKind::kEnd && !items.empty())) {
      if (take("?")) optional.push_back(static_cast<std::uint32_t>(items.size()));
      items.push_back(expression());
      if (!take(",")) break;
    }
    const bool comma = at_ > 0 && tokens_[at_ - 1].is(",");
    if (comma) expect("]", "");
    if (!broken_ && !comma && !take("]")) mismatched("{']', ','}");
    make_.set_args(made, items.data(), items.size());
    mark_optional(made, optional);
    return made;
  }

  Expr* map() {
    Expr* made = make_.make(ExprKind::kMap, next().offset);
    std::vector<Expr*> entries;
    std::vector<std::uint32_t> optional;
    first_item_ = &now();
    while (!broken_ && !now().is("}")) {
      if (take("?")) optional.push_back(static_cast<std::uint32_t>(entries.size() / 2));
      entries.push_back(expression());
      expect(":", "':'");
      entries.push_back(expression());
      if (!take(",")) break;
    }
    if (!broken_ && !take("}")) mismatched("{'}', ','}");
    make_.set_args(made, entries.data(), entries.size());
    mark_optional(made, optional);
    return made;
  }

  Issues& issues_;
  ExprMaker make_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  const Token* first_argument_ = nullptr;  // of the argument list begun last
  const Token* first_item_ = nullptr;      // of the list or map begun last
  int depth_ = 0;
  bool broken_ = false;
};

}  // namespace

Expr* ExprMaker::make(ExprKind kind, std::uint32_t offset) const {
  Expr* expr = new (arena.allocate(sizeof(Expr))) Expr{};
  expr->kind = kind;
  expr->offset = offset;
  return expr;
}

Expr* ExprMaker::literal(const Value& value, std::uint32_t offset) const {
  Expr* expr = make(ExprKind::kLiteral, offset);
  expr->literal = value;
  return expr;
}

Expr* ExprMaker::ident(std::string_view name, std::uint32_t offset) const {
  Expr* expr = make(ExprKind::kIdent, offset);
  expr->name = name;
  return expr;
}

Expr* ExprMaker::call(Function function, std::initializer_list<Expr*> args,
                      std::uint32_t offset) const {
  Expr* expr = make(ExprKind::kCall, offset);
  expr->name = function_row(function).name;
  set_args(expr, args.begin(), args.size());
  return expr;
}

Expr* ExprMaker::method(std::string_view name, std::initializer_list<Expr*> args,
                        std::uint32_t offset) const {
  Expr* expr = call(F::kNone, args, offset);
  expr->name = name;
  expr->flag = true;
  return expr;
}

Expr* ExprMaker::list(std::initializer_list<Expr*> items, std::uint32_t offset) const {
  Expr* expr = make(ExprKind::kList, offset);
  set_args(expr, items.begin(), items.size());
  return expr;
}

void ExprMaker::set_args(Expr* expr, const Expr* const* args, std::size_t count) const {
  expr->args = arena.allocate_array<Expr*>(count);
  for (std::size_t i = 0; i < count; ++i) expr->args[i] = const_cast<Expr*>(args[i]);
  expr->count = static_cast<std::uint32_t>(count);
}

Expr* parse(std::string_view source, json::Arena& arena, Issues& issues) {
  const std::size_t size = count_runes(source);
  if (size > kMostCharacters) {
    issues.report(Issues::kNowhere, "expression code point size exceeds limit: size: " +
                                        std::to_string(size) + ", limit 100000");
    return nullptr;
  }
  return Parser(source, arena, issues).parse();
}

}  // namespace tabernetes::cel
