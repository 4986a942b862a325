#include "registry/selectors/label_selector.h"

#include <algorithm>
#include <optional>

#include "base/algorithm/sort.h"
#include "base/api/field_error.h"
#include "base/api/names.h"
#include "base/go/text.h"
#include "base/text/ascii.h"
#include "base/text/parts.h"

namespace tabernetes::registry {
namespace {

using Operator = LabelSelector::Operator;
using Requirement = LabelSelector::Requirement;

enum class TokenKind {
  kEnd,
  kWord,
  kOpen,
  kClose,
  kComma,
  kNot,
  kEquals,
  kDoubleEquals,
  kNotEquals,
  kGreater,
  kLess,
  kIn,     // `in`, an operator only in the place of an operator
  kNotIn,  // `notin`, likewise
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;
};

bool is_special(char c) { return std::string_view("=!(),><").find(c) != std::string_view::npos; }

TokenKind kind_of(std::string_view text) {
  static constexpr std::pair<std::string_view, TokenKind> kKinds[] = {
      {"(", TokenKind::kOpen},       {")", TokenKind::kClose},     {",", TokenKind::kComma},
      {"!", TokenKind::kNot},        {"=", TokenKind::kEquals},    {"==", TokenKind::kDoubleEquals},
      {"!=", TokenKind::kNotEquals}, {">", TokenKind::kGreater},   {"<", TokenKind::kLess},
      {"in", TokenKind::kIn},        {"notin", TokenKind::kNotIn},
  };
  for (const auto& [literal, kind] : kKinds) {
    if (text == literal) return kind;
  }
  return TokenKind::kWord;
}

// Removes the next token from the start of `rest`. As in upstream's scanner, a NUL ends the text
// where a token may begin, and is dropped right after a token.
Token next_token(std::string_view& rest) {
  while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
  if (rest.empty() || rest.front() == '\0') return {};
  std::size_t size = 1;
  if (is_special(rest.front())) {
    const std::string_view two = rest.substr(0, 2);
    if (two == "==" || two == "!=") size = 2;
  } else {
    while (size < rest.size() && !is_special(rest[size]) && !is_blank(rest[size]) &&
           rest[size] != '\0') {
      ++size;
    }
  }
  const std::string_view text = rest.substr(0, size);
  rest.remove_prefix(size);
  if (!rest.empty() && rest.front() == '\0') rest.remove_prefix(1);
  return {kind_of(text), text};
}

Failure found(std::string_view text, std::string_view expected) {
  return errors::bad_request("found '" + std::string(text) +
                             "', expected: " + std::string(expected));
}

class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) { current_ = next_token(rest_); }

  Result<std::vector<Requirement>> selector() {
    std::vector<Requirement> requirements;
    if (value_kind() == TokenKind::kEnd) return requirements;
    if (!at_requirement()) {
      return found(current_.text, "!, identifier, or 'end of string'");
    }
    while (true) {
      Result<Requirement> requirement = this->requirement();
      if (!requirement) {
        return errors::bad_request("unable to parse requirement: " + requirement.error().message);
      }
      requirements.push_back(std::move(*requirement));
      const Token separator = take();
      if (separator.kind == TokenKind::kEnd) return requirements;
      if (separator.kind != TokenKind::kComma) {
        return found(separator.text, "',' or 'end of string'");
      }
      if (!at_requirement()) {
        return found(current_.text, "identifier after ','");
      }
    }
  }

 private:
  Token take() {
    const Token token = current_;
    current_ = next_token(rest_);
    return token;
  }

  // Returns the kind of the next token in a place where `in` and `notin` are plain words.
  TokenKind value_kind() const {
    const bool word = current_.kind == TokenKind::kIn || current_.kind == TokenKind::kNotIn;
    return word ? TokenKind::kWord : current_.kind;
  }

  bool at_requirement() const {
    return value_kind() == TokenKind::kWord || value_kind() == TokenKind::kNot;
  }

  Result<Requirement> requirement() {
    Requirement result;
    const bool negated = value_kind() == TokenKind::kNot;
    if (negated) take();
    if (value_kind() != TokenKind::kWord) {
      return found(current_.text, "identifier");
    }
    result.key = take().text;
    if (const Faults faults = qualified_name_faults(result.key); !faults.empty()) {
      const field::Error error = field::invalid({}, go_quote(result.key), join(faults, "; "));
      return errors::bad_request(field::aggregate({error}));
    }
    if (negated) {
      result.op = Operator::kDoesNotExist;
      return result;
    }
    if (current_.kind == TokenKind::kEnd || current_.kind == TokenKind::kComma) return result;
    TAB_TRY(result.op, operation());
    if (result.op == Operator::kIn || result.op == Operator::kNotIn) {
      TAB_TRY(result.values, value_list());
    } else {
      TAB_TRY(std::string value, single_value());
      result.values.push_back(std::move(value));
    }
    TAB_CHECK(check_values(result));
    return result;
  }

  Result<Operator> operation() {
    const Token token = take();
    switch (token.kind) {
      case TokenKind::kIn:
        return Operator::kIn;
      case TokenKind::kNotIn:
        return Operator::kNotIn;
      case TokenKind::kEquals:
        return Operator::kEquals;
      case TokenKind::kDoubleEquals:
        return Operator::kDoubleEquals;
      case TokenKind::kNotEquals:
        return Operator::kNotEquals;
      case TokenKind::kGreater:
        return Operator::kGreaterThan;
      case TokenKind::kLess:
        return Operator::kLessThan;
      default:
        return found(token.text, "in, notin, =, ==, !=, gt, lt");
    }
  }

  Result<std::string> single_value() {
    switch (value_kind()) {
      case TokenKind::kEnd:
      case TokenKind::kComma:
        return std::string();
      case TokenKind::kWord:
        return std::string(take().text);
      default:
        return found(current_.text, "identifier");
    }
  }

  // Parses ( a, b ), where any value may be empty.
  Result<std::vector<std::string>> value_list() {
    if (current_.kind != TokenKind::kOpen) {
      return errors::bad_request("found '" + std::string(current_.text) + "' expected: '('");
    }
    take();
    std::vector<std::string> values;
    switch (value_kind()) {
      case TokenKind::kClose:
        values.emplace_back();
        break;
      case TokenKind::kWord:
      case TokenKind::kComma:
        TAB_CHECK(listed_values(values));
        break;
      default:
        return found(current_.text, "',', ')' or identifier");
    }
    take();  // closing parenthesis
    sort_stable(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
  }

  // Parses the values up to the closing parenthesis.
  Result<void> listed_values(std::vector<std::string>& values) {
    while (true) {
      if (value_kind() == TokenKind::kWord) {
        values.emplace_back(take().text);
        if (value_kind() == TokenKind::kClose) return {};
        if (value_kind() != TokenKind::kComma) {
          return found(current_.text, "',' or ')'");
        }
      } else if (value_kind() == TokenKind::kComma) {
        take();
        if (values.empty()) values.emplace_back();
        if (value_kind() == TokenKind::kClose) {
          values.emplace_back();
          return {};
        }
        if (value_kind() == TokenKind::kComma) values.emplace_back();
      } else {
        return found(current_.text, "',', or identifier");
      }
    }
  }

  static Result<void> check_values(Requirement& requirement) {
    field::ErrorList faults;
    const field::Path path("values");
    if (requirement.op == Operator::kGreaterThan || requirement.op == Operator::kLessThan) {
      const GoParsedInt bound = go_parse_int(requirement.values[0]);
      requirement.bound = bound.value;
      if (!bound.error.empty()) {
        faults.push_back(field::invalid(path.index(0), go_quote(requirement.values[0]),
                                        "for 'Gt', 'Lt' operators, the value must be an integer"));
      }
    }
    for (std::size_t i = 0; i < requirement.values.size(); ++i) {
      const std::string& value = requirement.values[i];
      if (const Faults wrong = label_value_faults(value); !wrong.empty()) {
        faults.push_back(
            field::invalid(path.index(i).key(requirement.key), go_quote(value), join(wrong, "; ")));
      }
    }
    if (!faults.empty()) return errors::bad_request(field::aggregate(faults));
    return {};
  }

  std::string_view rest_;
  Token current_;
};

std::optional<std::string_view> find_label(Labels labels, std::string_view key) {
  for (const auto& [name, value] : labels) {
    if (name == key) return value;
  }
  return std::nullopt;
}

// Returns the Bloom filter bits of each label that satisfies the requirement; empty if the
// requirement does not need a label.
std::vector<LabelBloom> required_bits(const Requirement& requirement) {
  std::vector<LabelBloom> marks;
  switch (requirement.op) {
    case Operator::kEquals:
    case Operator::kDoubleEquals:
    case Operator::kIn:
      for (const std::string& value : requirement.values) {
        marks.push_back(bloom_of_label(requirement.key, value));
      }
      break;
    case Operator::kExists:
    case Operator::kGreaterThan:
    case Operator::kLessThan:
      marks.push_back(bloom_of_key(requirement.key));
      break;
    case Operator::kDoesNotExist:
    case Operator::kNotEquals:
    case Operator::kNotIn:
      break;
  }
  return marks;
}

std::string_view symbol_of(Operator op) {
  switch (op) {
    case Operator::kExists:
    case Operator::kDoesNotExist:
      return "";
    case Operator::kEquals:
      return "=";
    case Operator::kDoubleEquals:
      return "==";
    case Operator::kNotEquals:
      return "!=";
    case Operator::kIn:
      return " in ";
    case Operator::kNotIn:
      return " notin ";
    case Operator::kGreaterThan:
      return ">";
    case Operator::kLessThan:
      return "<";
  }
  return "";
}

}  // namespace

bool LabelSelector::Requirement::matches(const std::optional<std::string_view>& label) const {
  const auto listed = [&] {
    return std::find(values.begin(), values.end(), *label) != values.end();
  };
  const auto number = [&] { return go_parse_int(*label); };
  switch (op) {
    case Operator::kExists:
      return label.has_value();
    case Operator::kDoesNotExist:
      return !label;
    case Operator::kEquals:
    case Operator::kDoubleEquals:
    case Operator::kIn:
      return label && listed();
    case Operator::kNotEquals:
    case Operator::kNotIn:
      return !label || !listed();
    case Operator::kGreaterThan:
      return label && number().error.empty() && number().value > bound;
    case Operator::kLessThan:
      return label && number().error.empty() && number().value < bound;
  }
  return false;
}

std::string LabelSelector::Requirement::to_string() const {
  std::string text = op == Operator::kDoesNotExist ? "!" + key : key;
  text += symbol_of(op);
  const bool listed = op == Operator::kIn || op == Operator::kNotIn;
  if (listed) text += '(';
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += ',';
    text += values[i];
  }
  if (listed) text += ')';
  return text;
}

bool LabelSelector::matches(Labels labels) const {
  return matches_by([&](std::string_view key) { return find_label(labels, key); });
}

bool LabelSelector::may_match(LabelBloom marks) const {
  return std::all_of(needed_.begin(), needed_.end(), [&](const std::vector<LabelBloom>& needed) {
    return std::any_of(needed.begin(), needed.end(),
                       [&](LabelBloom label) { return (marks & label) == label; });
  });
}

std::string LabelSelector::to_string() const {
  std::string text;
  for (const Requirement& requirement : requirements_) {
    if (!text.empty()) text += ',';
    text += requirement.to_string();
  }
  return text;
}

Result<LabelSelector> parse_label_selector(std::string_view text) {
  LabelSelector selector;
  TAB_TRY(selector.requirements_, Parser(text).selector());
  sort_stable(selector.requirements_,
              [](const Requirement& a, const Requirement& b) { return a.key < b.key; });
  for (const Requirement& requirement : selector.requirements_) {
    std::vector<LabelBloom> marks = required_bits(requirement);
    if (!marks.empty()) selector.needed_.push_back(std::move(marks));
  }
  return selector;
}

}  // namespace tabernetes::registry
