#include "registry/selectors/selector_object.h"

#include <string_view>
#include <utility>
#include <vector>

#include "base/algorithm/sort.h"
#include "base/api/names.h"
#include "base/text/parts.h"
#include "json/access.h"

namespace tabernetes::registry {
namespace {

using json::Member;
using json::Value;

// The key and the printed form of a term of a selector.
using Term = std::pair<std::string, std::string>;

bool is_valid_label(std::string_view key, std::string_view value) {
  return qualified_name_faults(key).empty() && label_value_faults(value).empty();
}

// Appends the printed expression. Returns false if it is invalid.
bool format_expression(const Value& expression, std::vector<Term>& out) {
  const std::string key(expression.string_at("key"));
  const std::string_view op = expression.string_at("operator");
  std::vector<std::string> values;
  for (const Value& value : items_at(expression, {"values"})) {
    if (value.is_string()) values.emplace_back(value.as_string());
  }
  if (!is_valid_label(key, "")) return false;
  for (const std::string& value : values) {
    if (!is_valid_label(key, value)) return false;
  }
  sort_stable(values);
  if (op == "In" || op == "NotIn") {
    if (values.empty()) return false;
    out.emplace_back(key, key + (op == "In" ? " in (" : " notin (") + join(values, ",") + ")");
    return true;
  }
  if (!values.empty()) return false;
  if (op == "Exists") {
    out.emplace_back(key, key);
  } else if (op == "DoesNotExist") {
    out.emplace_back(key, "!" + key);
  } else {
    return false;
  }
  return true;
}

}  // namespace

std::optional<std::string> format_label_selector(const Value* selector) {
  if (selector == nullptr) return std::string();
  std::vector<Term> terms;
  for (const Member& label : members_at(*selector, {"matchLabels"})) {
    const std::string key(label.key);
    const std::string_view value = text_of(label.value);
    if (!is_valid_label(key, value)) return std::nullopt;
    terms.emplace_back(key, key + "=" + std::string(value));
  }
  for (const Value& expression : items_at(*selector, {"matchExpressions"})) {
    if (!format_expression(expression, terms)) return std::nullopt;
  }
  sort_stable(terms, [](const Term& a, const Term& b) { return a.first < b.first; });
  std::string text;
  for (const Term& term : terms) append_part(text, term.second, ",");
  return text;
}

std::optional<LabelSelector> read_label_selector(const Value& selector) {
  const std::optional<std::string> text = format_label_selector(&selector);
  if (!text) return std::nullopt;
  Result<LabelSelector> parsed = parse_label_selector(*text);
  if (!parsed) return std::nullopt;
  return std::move(*parsed);
}

std::string format_labels(const Value* labels) {
  if (labels == nullptr || !labels->is_object()) return {};
  std::vector<std::string> texts;
  for (const Member& label : labels->members()) {
    texts.push_back(std::string(label.key) + "=" + std::string(text_of(label.value)));
  }
  sort_stable(texts);
  return join(texts, ",");
}

}  // namespace tabernetes::registry
