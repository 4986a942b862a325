// Field selectors: `metadata.name=a,status.phase!=Running`.
//
// Terms are separated by commas; `\` escapes `\`, `,` and `=` in a value; the first of `!=`, `==`,
// `=` splits a term; spaces are significant; empty terms are skipped. Source: spec/list-watch.md
// 6.3, 6.4; upstream 1.36: apimachinery pkg/fields/selector.go.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/api/result.h"
#include "schema/schema.h"

namespace tabernetes::registry {

class FieldSelector {
 public:
  enum class Operator { kEquals, kNotEquals };
  struct Term {
    std::string field;
    Operator op = Operator::kEquals;
    std::string value;  // unescaped
    friend bool operator==(const Term&, const Term&) = default;
  };

  // Selects everything.
  FieldSelector() = default;

  bool empty() const { return terms_.empty(); }
  const std::vector<Term>& terms() const { return terms_; }

  // Returns the error message for a field label that a resource does not support.
  using UnknownLabel = std::string (*)(const schema::Resource&, std::string_view label);
  // Returns the selector with the field labels of `resource` in canonical form. Errors: 400
  // BadRequest for an unsupported label, with the text of `unknown` (null: the default text).
  Result<FieldSelector> resolve(const schema::Resource& resource, UnknownLabel unknown) const;

  // Returns the value that the first `=` term on the field requires, or nullopt.
  std::optional<std::string_view> requires_exact_match(std::string_view field) const;

  // Returns true if every term matches. `value_of(field)` returns an object's value as a
  // std::string_view, empty for a missing field.
  template <typename ValueOf>
  bool matches(const ValueOf& value_of) const {
    for (const Term& term : terms_) {
      if ((value_of(std::string_view(term.field)) == term.value) != (term.op == Operator::kEquals))
        return false;
    }
    return true;
  }

  // Prints the terms sorted by their texts; "==" is printed as "=".
  std::string to_string() const;
  friend bool operator==(const FieldSelector&, const FieldSelector&) = default;

 private:
  friend Result<FieldSelector> parse_field_selector(std::string_view text);
  std::vector<Term> terms_;  // sorted by the text of the terms as received
};

// Parses a selector; does not check the labels (see resolve()). Errors: 400 BadRequest.
Result<FieldSelector> parse_field_selector(std::string_view text);

}  // namespace tabernetes::registry
