// Field selectors: `metadata.name=a,status.phase!=Running`.
//
// Terms are separated by commas; `\` escapes `\`, `,` and `=` in a value; the first of `!=`, `==`,
// `=` splits a term; blanks count; empty terms are skipped.
// Source: spec/list-watch.md 6.3, 6.4; upstream 1.36: apimachinery pkg/fields/selector.go.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
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

  // What an error says of a label that a resource does not know.
  using UnknownLabel = std::string (*)(const schema::Resource&, std::string_view label);
  // Returns the selector with the labels of `resource` turned into the canonical ones.
  // Errors: 400 BadRequest for a label that the resource does not know; its text is `unknown`'s,
  // the usual one if that is null.
  Result<FieldSelector> resolve(const schema::Resource& resource, UnknownLabel unknown) const;

  // The value that the field must have; nothing if no term demands one. Of several the first.
  std::optional<std::string_view> requires_exact_match(std::string_view field) const;

  // Whether every term holds; `value_of(field)` gives an object's value as a std::string_view,
  // empty for a field that it lacks.
  template <typename ValueOf>
  bool matches(const ValueOf& value_of) const {
    for (const Term& term : terms_) {
      if ((value_of(std::string_view(term.field)) == term.value) != (term.op == Operator::kEquals))
        return false;
    }
    return true;
  }

  // Terms in the order of their texts; "==" prints as "=".
  std::string to_string() const;
  friend bool operator==(const FieldSelector&, const FieldSelector&) = default;

 private:
  friend Result<FieldSelector> parse_field_selector(std::string_view text);
  std::vector<Term> terms_;  // sorted by the text of the terms as they were sent
};

// Errors: 400 BadRequest. Knows no resource: see resolve().
Result<FieldSelector> parse_field_selector(std::string_view text);

}  // namespace tabernetes::registry
