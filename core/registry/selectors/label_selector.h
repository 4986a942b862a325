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

#include "base/result.h"
#include "registry/selectors/label_marks.h"

namespace tabernetes::registry {

// The labels of an object, each key once, in any order.
using Labels = std::span<const std::pair<std::string_view, std::string_view>>;

class LabelSelector {
 public:
  enum class Operator {
    kExists,
    kDoesNotExist,
    kEquals,        // k=v
    kDoubleEquals,  // k==v: the same, printed as it was written
    kNotEquals,
    kIn,
    kNotIn,
    kGreaterThan,
    kLessThan,
  };
  struct Requirement {
    std::string key;
    Operator op = Operator::kExists;
    std::vector<std::string> values;  // sorted, each once
    std::int64_t bound = 0;           // the value of kGreaterThan and kLessThan

    // Of an object whose label `key` is this; nothing: it has none.
    bool matches(const std::optional<std::string_view>& label) const;
    std::string to_string() const;
    friend bool operator==(const Requirement&, const Requirement&) = default;
  };

  // Selects everything.
  LabelSelector() = default;

  bool empty() const { return requirements_.empty(); }
  bool matches(Labels labels) const;
  // False only if no labels with these marks match.
  bool may_match(LabelMarks marks) const;
  // `find(key)` gives an object's label as a std::optional<std::string_view>.
  template <typename Find>
  bool matches_by(const Find& find) const {
    for (const Requirement& requirement : requirements_) {
      if (!requirement.matches(find(std::string_view(requirement.key)))) return false;
    }
    return true;
  }
  // The canonical form: requirements sorted by key, values sorted, no needless blanks.
  // Parsing it gives an equal selector.
  std::string to_string() const;
  const std::vector<Requirement>& requirements() const { return requirements_; }
  friend bool operator==(const LabelSelector&, const LabelSelector&) = default;

 private:
  friend Result<LabelSelector> parse_label_selector(std::string_view text);
  std::vector<Requirement> requirements_;  // sorted by key
  // For each requirement that some label be there: the marks of every label that would do.
  std::vector<std::vector<LabelMarks>> needed_;
};

// Errors: 400 BadRequest.
Result<LabelSelector> parse_label_selector(std::string_view text);

}  // namespace tabernetes::registry
