// Selectors as terms that are evaluated one by one; their text is only made for requests.
#pragma once

#include <string>
#include <vector>

#include "object.h"
#include "random.h"

namespace tabernetes::property {

struct LabelTerm {
  enum class Op { kExists, kMissing, kIn, kNotIn, kGreater, kLess };
  std::string key;
  Op op = Op::kExists;
  std::vector<std::string> values;
};

struct FieldTerm {
  std::string field;
  bool equal = true;
  std::string value;
};

struct Selector {
  std::vector<LabelTerm> labels;
  std::vector<FieldTerm> fields;
  std::string label_text, field_text;  // as the request spells it

  bool everything() const { return labels.empty() && fields.empty(); }
  bool matches(const Object& object) const;
  // Returns the value that a field must have; empty if the selector requires none.
  std::string required(std::string_view field) const;
};

Selector random_selector(Random& random, const Kind& kind);
// Returns a selector for exactly that name.
Selector selector_of_name(const std::string& name);

// Returns the label keys used in a run, besides "id".
inline const std::vector<std::string>& label_keys() {
  static const std::vector<std::string> kAll = {"app", "example.com/tier", "n"};
  return kAll;
}
std::string random_label_value(Random& random, const std::string& key);

}  // namespace tabernetes::property
