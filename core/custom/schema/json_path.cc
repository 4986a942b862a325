#include "custom/schema/json_path.h"

#include <algorithm>
#include <deque>

#include "base/go/text.h"
#include "base/numbers/parse_float.h"
#include "base/text/ascii.h"
#include "base/text/parts.h"
#include "json/arena.h"

namespace tabernetes::registry::custom {

using json::Value;
using Values = std::vector<const Value*>;

// A step of a path, which maps each value to any number of others.
struct JsonPath::Step {
  enum class Kind { kField, kAll, kBelow, kSlice, kUnion, kFilter, kLiteral };
  Kind kind = Kind::kField;
  std::string text;             // a field's name, a filter's operator (empty: exists), a literal
  Bound bounds[3];              // kSlice
  Value literal;                // kLiteral: the value; a string is in `text`
  std::vector<Steps> branches;  // kUnion: each; kFilter: left and right
};

namespace {

constexpr int kDeepestFilter = 16;  // nested parentheses and brackets

bool ends_name(char c) {
  return std::string_view(" .,[]$@{}\n\r\t").find(c) != std::string_view::npos;
}

// Returns `text` without escaping backslashes.
std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') out += text[i];
  }
  return out;
}

}  // namespace

class JsonPath::Parser {
 public:
  explicit Parser(std::string_view text, int depth = 0) : text_(text), depth_(depth) {}

  bool parse(Steps& out) {
    if (depth_ > kDeepestFilter) return false;
    while (at_ < text_.size()) {
      if (!step(out)) return false;
    }
    return true;
  }

 private:
  bool step(Steps& out) {
    const char c = text_[at_];
    if (c == ' ' || c == '@' || c == '$') {
      ++at_;
      return true;
    }
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("[?(")) return filter(out);
    if (rest.starts_with("..")) {
      // A name may follow directly.
      ++at_;
      out.emplace_back().kind = Step::Kind::kBelow;
      if (at_ + 1 < text_.size() && !ends_name(text_[at_ + 1])) return field(out);
      ++at_;
      return true;
    }
    if (c == '.') return field(out);
    if (c == '[') return brackets(out);
    if (c == '"' || c == '\'') return quoted(out);
    if (is_digit(c) || c == '-' || c == '+') return number(out);
    return word(out);
  }

  bool field(Steps& out) {
    const std::size_t begin = ++at_;
    while (at_ < text_.size() && !ends_name(text_[at_])) at_ += text_[at_] == '\\' ? 2 : 1;
    at_ = std::min(at_, text_.size());
    const std::string_view name = text_.substr(begin, at_ - begin);
    Step next;
    next.kind = name == "*" ? Step::Kind::kAll : Step::Kind::kField;
    next.text = unescaped(name);
    out.push_back(std::move(next));
    return true;
  }

  bool brackets(Steps& out) {
    const std::size_t end = text_.find(']', at_);
    if (end == std::string_view::npos) return false;
    std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    if (inside.find(',') != std::string_view::npos) return union_of(inside, out);
    if (inside.size() >= 2 && inside.front() == '\'' && inside.back() == '\'' &&
        inside.substr(1, inside.size() - 2).find('\'') == std::string_view::npos) {
      return nested("." + std::string(inside.substr(1, inside.size() - 2)), out);
    }
    if (inside == "*") inside = ":";
    return slice(inside, out);
  }

  bool union_of(std::string_view parts, Steps& out) {
    Step next;
    next.kind = Step::Kind::kUnion;
    while (true) {
      const std::size_t comma = parts.find(',');
      const std::string_view part = trim(parts.substr(0, comma), " ");
      if (!nested("[" + std::string(part) + "]", next.branches.emplace_back())) return false;
      if (comma == std::string_view::npos) break;
      parts.remove_prefix(comma + 1);
    }
    out.push_back(std::move(next));
    return true;
  }

  bool slice(std::string_view text, Steps& out) {
    Step next;
    next.kind = Step::Kind::kSlice;
    for (int i = 0; i < 3; ++i) {
      Bound& bound = next.bounds[i];
      if (i > 0 && text.empty()) {
        if (i == 1) bound = {true, true, next.bounds[0].value + 1};
        continue;
      }
      if (i > 0) text.remove_prefix(1);  // skips the colon
      const std::size_t end = std::min(text.find(':'), text.size());
      if (end > 0) {
        const GoParsedInt read = go_parse_int(text.substr(0, end));
        if (!read.error.empty() || text[0] == '+') return false;
        bound = {true, false, read.value};
      }
      text.remove_prefix(end);
    }
    if (!text.empty()) return false;
    out.push_back(std::move(next));
    return true;
  }

  bool filter(Steps& out) {
    at_ += 3;
    const std::size_t begin = at_;
    int open = 1;
    char quote = 0;
    for (; at_ < text_.size() && open > 0; ++at_) {
      const char c = text_[at_];
      if (quote != 0) {
        if (c == '\\') ++at_;
        if (c == quote) quote = 0;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '(') {
        ++open;
      } else if (c == ')') {
        --open;
      }
    }
    if (open > 0 || at_ >= text_.size() || text_[at_] != ']') return false;
    const std::string_view inside = text_.substr(begin, at_ - begin - 1);
    ++at_;
    Step next;
    next.kind = Step::Kind::kFilter;
    next.branches.resize(2);
    std::size_t op = std::min(inside.find_first_of("!<>="), inside.size());
    std::size_t right = std::min(inside.find_first_not_of("!<>=", op), inside.size());
    // Backtracks like Go's regular expression.
    if (right == inside.size() && op + 1 < right) --right;
    if (op == 0 || right == inside.size()) op = right = inside.size();
    next.text = inside.substr(op, right - op);
    if (!nested(std::string(inside.substr(0, op)), next.branches[0])) return false;
    if (!nested(std::string(inside.substr(right)), next.branches[1])) return false;
    out.push_back(std::move(next));
    return true;
  }

  bool literal(Value value, std::string text, Steps& out) {
    Step next;
    next.kind = Step::Kind::kLiteral;
    next.literal = value;
    next.text = std::move(text);
    out.push_back(std::move(next));
    return true;
  }

  bool quoted(Steps& out) {
    const char quote = text_[at_++];
    std::string text;
    while (at_ < text_.size() && text_[at_] != quote) {
      if (text_[at_] == '\\') ++at_;
      if (at_ < text_.size()) text += text_[at_++];
    }
    if (at_++ >= text_.size()) return false;
    return literal(Value::string(""), std::move(text), out);
  }

  bool number(Steps& out) {
    const std::size_t begin = at_++;
    while (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) ++at_;
    std::string text(text_.substr(begin, at_ - begin));
    const GoParsedInt whole = go_parse_int(text);
    if (whole.error.empty()) return literal(Value::integer(whole.value), {}, out);
    return literal(Value::null(), std::move(text), out);  // a fraction: parsed when compared
  }

  bool word(Steps& out) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && !ends_name(text_[at_])) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (name != "true" && name != "false") return false;
    return literal(Value::boolean(name == "true"), {}, out);
  }

  bool nested(const std::string& text, Steps& out) { return Parser(text, depth_ + 1).parse(out); }

  std::string_view text_;
  int depth_;
  std::size_t at_ = 0;
};

// Follows the steps. An error is permanent and makes the result empty.
class JsonPath::Walk {
 public:
  Values run(const Steps& steps, Values values) {
    for (const Step& step : steps) {
      Values next;
      if (step.kind == Step::Kind::kLiteral) {
        next.push_back(literal(step));
      } else {
        for (const Value* value : values) take(step, *value, next);
      }
      values = std::move(next);
    }
    return failed_ ? Values() : values;
  }

 private:
  void take(const Step& step, const Value& value, Values& out) {
    switch (step.kind) {
      case Step::Kind::kField:
        if (const Value* member = value.is_object() ? value.find(step.text) : nullptr) {
          out.push_back(member);
        }
        return;
      case Step::Kind::kAll:
        return children(value, out);
      case Step::Kind::kBelow:
        return below(value, out);
      case Step::Kind::kSlice:
        return slice(step, value, out);
      case Step::Kind::kUnion:
        for (const Steps& branch : step.branches) {
          const Values found = run(branch, {&value});
          out.insert(out.end(), found.begin(), found.end());
        }
        return;
      case Step::Kind::kFilter:
        return filter(step, value, out);
      case Step::Kind::kLiteral:
        return;
    }
  }

  static void children(const Value& value, Values& out) {
    if (value.is_array()) {
      for (const Value& item : value.items()) out.push_back(&item);
    } else if (value.is_object()) {
      for (const json::Member& member : value.members()) out.push_back(&member.value);
    }
  }

  // Adds the nonempty values at any depth, parents first.
  static void below(const Value& value, Values& out) {
    Values open = {&value};
    while (!open.empty()) {
      const Value* next = open.back();
      open.pop_back();
      if (next->size() == 0) continue;
      out.push_back(next);
      Values inside;
      children(*next, inside);
      open.insert(open.end(), inside.rbegin(), inside.rend());
    }
  }

  void slice(const Step& step, const Value& value, Values& out) {
    if (!value.is_array()) return fail();
    const auto size = static_cast<std::int64_t>(value.size());
    const Bound* bounds = step.bounds;
    std::int64_t first = bounds[0].known ? bounds[0].value : 0;
    if (first < 0) first += size;
    std::int64_t end = bounds[1].known ? bounds[1].value : size;
    if (end < 0 || (end == 0 && bounds[1].derived)) end += size;
    if (first == end) return;
    const std::int64_t step_size = bounds[2].known ? bounds[2].value : 1;
    if (first < 0 || first >= size || end < first || end > size || step_size <= 0) return fail();
    for (; first < end; first += step_size) {
      out.push_back(&value.items()[static_cast<std::size_t>(first)]);
    }
  }

  void filter(const Step& step, const Value& value, Values& out) {
    if (!value.is_array()) return fail();
    for (const Value& item : value.items()) {
      const Values left = run(step.branches[0], {&item});
      if (step.text.empty()) {
        if (!left.empty()) out.push_back(&item);
        continue;
      }
      const Values right = run(step.branches[1], {&item});
      if (left.empty() || right.empty()) continue;
      if (left.size() > 1 || right.size() > 1) return fail();
      if (holds(*left[0], step.text, *right[0])) out.push_back(&item);
    }
  }

  // Compares values of the same type; other types and null are errors.
  bool holds(const Value& left, std::string_view op, const Value& right) {
    int order = 0;
    if (left.is_string() && right.is_string()) {
      order = left.as_string().compare(right.as_string());
    } else if (left.is_int() && right.is_int()) {
      order = left.as_int() < right.as_int() ? -1 : left.as_int() > right.as_int() ? 1 : 0;
    } else if (left.is_double() && right.is_double()) {
      order = left.as_double() < right.as_double()   ? -1
              : left.as_double() > right.as_double() ? 1
                                                     : 0;
    } else if (left.is_bool() && right.is_bool() && (op == "==" || op == "!=")) {
      order = left.as_bool() == right.as_bool() ? 0 : 1;
    } else {
      fail();
      return false;
    }
    if (op == "==") return order == 0;
    if (op == "!=") return order != 0;
    if (op == "<") return order < 0;
    if (op == "<=") return order <= 0;
    if (op == ">") return order > 0;
    if (op == ">=") return order >= 0;
    fail();
    return false;
  }

  const Value* literal(const Step& step) {
    if (step.literal.is_string()) return &made_.emplace_back(Value::string(step.text));
    if (!step.literal.is_null()) return &step.literal;
    return &made_.emplace_back(Value::number(arena_, parse_float(step.text).value_or(0)));
  }

  void fail() { failed_ = true; }

  bool failed_ = false;
  json::Arena arena_;
  std::deque<Value> made_;
};

std::optional<JsonPath> JsonPath::parse(std::string_view text) {
  auto steps = std::make_shared<Steps>();
  if (!Parser(text).parse(*steps)) return std::nullopt;
  JsonPath path;
  path.steps_ = std::move(steps);
  return path;
}

const Value* JsonPath::find(const Value& object) const {
  const bool is_literal = !steps_->empty() && steps_->back().kind == Step::Kind::kLiteral;
  if (is_literal) return nullptr;
  const Values found = Walk().run(*steps_, {&object});
  return found.empty() ? nullptr : found.front();
}

}  // namespace tabernetes::registry::custom
