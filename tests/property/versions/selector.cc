#include "selector.h"

#include <algorithm>
#include <cstdlib>

namespace tabernetes::property {
namespace {

using Op = LabelTerm::Op;

bool contains(const std::vector<std::string>& values, const std::string& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

bool holds(const LabelTerm& term, const Object& object) {
  const auto label = object.labels.find(term.key);
  const bool present = label != object.labels.end();
  switch (term.op) {
    case Op::kExists:
      return present;
    case Op::kMissing:
      return !present;
    case Op::kIn:
      return present && contains(term.values, label->second);
    case Op::kNotIn:
      return !present || !contains(term.values, label->second);
    case Op::kGreater:
    case Op::kLess:
      break;
  }
  // Values of "n" are small numbers or not numbers at all.
  if (!present || label->second.empty()) return false;
  if (label->second.find_first_not_of("0123456789") != std::string::npos) return false;
  const long value = std::strtol(label->second.c_str(), nullptr, 10);
  const long bound = std::strtol(term.values.front().c_str(), nullptr, 10);
  return term.op == Op::kGreater ? value > bound : value < bound;
}

std::string blank(Random& random) { return random.chance(20) ? " " : ""; }

std::string set_text(Random& random, const std::vector<std::string>& values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    text += (i == 0 ? "" : ",") + blank(random) + values[i];
  }
  return "(" + text + ")";
}

std::string print(Random& random, const LabelTerm& term) {
  const bool single = term.values.size() == 1 && random.chance(60);
  switch (term.op) {
    case Op::kExists:
      return term.key;
    case Op::kMissing:
      return "!" + blank(random) + term.key;
    case Op::kIn:
      if (single) return term.key + random.pick({"=", "==", " = "}) + term.values.front();
      return term.key + " in " + set_text(random, term.values);
    case Op::kNotIn:
      if (single) return term.key + "!=" + term.values.front();
      return term.key + " notin " + set_text(random, term.values);
    case Op::kGreater:
      return term.key + blank(random) + ">" + term.values.front();
    case Op::kLess:
      return term.key + "<" + blank(random) + term.values.front();
  }
  return {};
}

LabelTerm random_label_term(Random& random) {
  LabelTerm term;
  term.key = random.pick(label_keys());
  if (term.key == "n" && random.chance(50)) {
    term.op = random.chance(50) ? Op::kGreater : Op::kLess;
    term.values = {std::to_string(random.below(4))};
    return term;
  }
  switch (random.below(5)) {
    case 0:
      term.op = Op::kExists;
      return term;
    case 1:
      term.op = Op::kMissing;
      return term;
    case 2:
      term.op = Op::kNotIn;
      break;
    default:
      term.op = Op::kIn;
  }
  for (std::uint64_t i = random.between(1, 2); i > 0; --i) {
    term.values.push_back(random_label_value(random, term.key));
  }
  return term;
}

FieldTerm random_field_term(Random& random, const Kind& kind) {
  FieldTerm term;
  term.field = random.pick(kind.selectable);
  term.equal = random.chance(75);
  if (term.field == "metadata.name") {
    term.value = random.pick(names());
  } else if (term.field == "metadata.namespace") {
    term.value = random.pick(namespaces());
  } else if (term.field == kind.field) {
    term.value = random.pick(kind.values);
    if (term.value.front() == '"') term.value = term.value.substr(1, term.value.size() - 2);
  } else {
    term.value = random.pick({"", "n1", "Normal"});
  }
  return term;
}

}  // namespace

std::string random_label_value(Random& random, const std::string& key) {
  if (key == "n") return random.pick({"0", "1", "2", "3", "x", ""});
  return random.pick({"web", "db", "", "Web"});
}

bool Selector::matches(const Object& object) const {
  for (const LabelTerm& term : labels) {
    if (!holds(term, object)) return false;
  }
  for (const FieldTerm& term : fields) {
    const auto value = object.fields.find(term.field);
    expect(value != object.fields.end(), "the model does not know the field");
    if ((value->second == term.value) != term.equal) return false;
  }
  return true;
}

std::string Selector::required(std::string_view field) const {
  for (const FieldTerm& term : fields) {
    if (term.field == field && term.equal) return term.value;
  }
  return {};
}

Selector random_selector(Random& random, const Kind& kind) {
  Selector selector;
  if (random.chance(40)) return selector;
  if (random.chance(65)) {
    for (std::uint64_t i = random.between(1, 2); i > 0; --i) {
      selector.labels.push_back(random_label_term(random));
      if (!selector.label_text.empty()) selector.label_text += "," + blank(random);
      selector.label_text += print(random, selector.labels.back());
    }
  }
  if (random.chance(45)) {
    const FieldTerm term = random_field_term(random, kind);
    selector.field_text = term.field + (term.equal ? random.pick({"=", "=="}) : "!=") + term.value;
    selector.fields.push_back(term);
  }
  return selector;
}

Selector selector_of_name(const std::string& name) {
  Selector selector;
  selector.fields.push_back({"metadata.name", true, name});
  selector.field_text = "metadata.name=" + name;
  return selector;
}

}  // namespace tabernetes::property
