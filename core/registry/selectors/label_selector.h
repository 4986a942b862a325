// Label selectors: `app=web,tier in (db,app),!old,n>3`.
//
//   selector    = [ requirement *( "," requirement ) ]      "" selects everything
//   requirement = [ "!" ] key | key op
//   op          = ( "=" | "==" | "!=" ) [ value ]
//               | ( "in" | "notin" ) "(" [ value *( "," value ) ] ")"
//               | ( ">" | "<" ) integer
//
// Source: spec/list-watch.md 6.1, 6.2; upstream 1.36: apimachinery pkg/labels/selector.go.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/api/result.h"
#include "registry/selectors/label_bloom.h"

namespace tabernetes::registry {

// The labels of an object, each key once, in any order.
using Labels = std::span<const std::pair<std::string_view, std::string_view>>;

class LabelSelector {
 public:
  enum class Operator {
    kExists,
    kDoesNotExist,
    kEquals,        // k=v
    kDoubleEquals,  // k==v: the same, printed as written
    kNotEquals,
    kIn,
    kNotIn,
    kGreaterThan,
    kLessThan,
  };
  struct Requirement {
    std::string key;
    Operator op = Operator::kExists;
    std::vector<std::string> values;  // sorted, without duplicates
    std::int64_t bound = 0;           // the operand of kGreaterThan and kLessThan

    // Returns true if an object matches whose label `key` is `label` (nullopt: missing).
    bool matches(const std::optional<std::string_view>& label) const;
    std::string to_string() const;
    friend bool operator==(const Requirement&, const Requirement&) = default;
  };

  // Selects everything.
  LabelSelector() = default;

  bool empty() const { return requirements_.empty(); }
  bool matches(Labels labels) const;
  // Returns false only if no labels with these bits match.
  bool may_match(LabelBloom marks) const;
  // Returns true if every requirement matches. `find(key)` returns an object's label as a
  // std::optional<std::string_view>.
  template <typename Find>
  bool matches_by(const Find& find) const {
    for (const Requirement& requirement : requirements_) {
      if (!requirement.matches(find(std::string_view(requirement.key)))) return false;
    }
    return true;
  }
  // Prints the canonical form: requirements sorted by key, values sorted, no unnecessary spaces.
  // Parsing it returns an equal selector.
  std::string to_string() const;
  const std::vector<Requirement>& requirements() const { return requirements_; }
  friend bool operator==(const LabelSelector&, const LabelSelector&) = default;

 private:
  friend Result<LabelSelector> parse_label_selector(std::string_view text);
  std::vector<Requirement> requirements_;  // sorted by key
  // For each requirement that needs a label: the bits of every label that satisfies it.
  std::vector<std::vector<LabelBloom>> needed_;
};

// Parses a selector. Errors: 400 BadRequest.
Result<LabelSelector> parse_label_selector(std::string_view text);

}  // namespace tabernetes::registry
