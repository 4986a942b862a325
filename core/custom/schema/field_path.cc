#include "custom/schema/field_path.h"

#include "schema/schema_keywords.h"

namespace tabernetes::registry::custom {
namespace {

using json::Value;
using schema::Keyword;
using schema::SchemaView;

// Removes the next token: '.', '[', ']', a text in single quotes, or the characters between those.
std::string_view take_token(std::string_view& rest) {
  std::size_t end = rest.empty() ? 0 : 1;
  if (rest.starts_with('\'')) {
    while (end < rest.size() && (rest[end] != '\'' || rest[end - 1] == '\\')) ++end;
    if (end < rest.size()) ++end;
  } else if (!rest.empty() && std::string_view(".[]").find(rest[0]) == std::string_view::npos) {
    end = std::min(rest.find_first_of(".[]"), rest.size());
  }
  const std::string_view token = rest.substr(0, end);
  rest.remove_prefix(end);
  return token;
}

// Removes quotes and escapes; returns false for an unknown escape.
bool unquote(std::string_view token, std::string& out) {
  static constexpr std::string_view kEscapes = "abfnrtv'\\", kMeanings = "\a\b\f\n\r\t\v'\\";
  token = token.substr(1, token.size() - 2);
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (token[i] != '\\' || i + 1 == token.size()) {
      out += token[i];
      continue;
    }
    const std::size_t which = kEscapes.find(token[++i]);
    if (which == std::string_view::npos) return false;
    out += kMeanings[which];
  }
  return true;
}

class Walk {
 public:
  Walk(const Value& schema, ArrayNotation notation) : notation_(notation) {
    found_.schema = &schema;
  }

  FieldPath run(std::string_view rest) {
    while (!rest.empty() && found_.error.empty()) {
      const std::string_view token = take_token(rest);
      if (token == "[") {
        bracket(rest);
      } else if (token == ".") {
        if (rest.empty()) return fail("unexpected end of JSON path");
        step(std::string(take_token(rest)));
      } else {
        return fail("expected [ or . but got: " + std::string(token));
      }
    }
    return found_;
  }

 private:
  FieldPath fail(std::string error) {
    found_.error = std::move(error);
    return found_;
  }

  void bracket(std::string_view& rest) {
    if (notation_ == ArrayNotation::kForbidden) {
      fail("array notation is not allowed");
      return;
    }
    const std::string_view token = take_token(rest);
    std::string name;
    if (token.size() < 2 || token.front() != '\'' || token.back() != '\'') {
      fail(token.empty() ? "unexpected end of JSON path"
                         : "expected single quoted string but got " + std::string(token));
    } else if (!unquote(token, name)) {
      fail("invalid string literal");
    } else {
      step(name);
      if (found_.error.empty() && take_token(rest) != "]") fail("expected ]");
    }
  }

  void step(const std::string& name) {
    const SchemaView view(found_.schema == nullptr ? Value() : *found_.schema);
    const bool named = view.size(Keyword::kProperties) > 0;
    const Value* next =
        named ? view.property(name) : view.schema_at(Keyword::kAdditionalProperties);
    if (named ? next == nullptr : !view.has(Keyword::kAdditionalProperties)) {
      fail("does not refer to a valid field");
      return;
    }
    if (found_.path.empty()) found_.root = name;
    if (named) {
      found_.path.append(found_.path.empty() ? "" : ".").append(name);
    } else {
      found_.path.append("[").append(name).append("]");
    }
    found_.schema = next;
  }

  const ArrayNotation notation_;
  FieldPath found_;
};

}  // namespace

FieldPath find_field(std::string_view json_path, const Value& schema, ArrayNotation notation) {
  return Walk(schema, notation).run(json_path);
}

}  // namespace tabernetes::registry::custom
