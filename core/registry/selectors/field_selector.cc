#include "registry/selectors/field_selector.h"

#include <algorithm>

#include "base/algorithm/sort.h"
#include "base/go/text.h"
#include "base/text/utf8.h"

namespace tabernetes::registry {
namespace {

// Splits `text` at the commas that are not escaped; returns the parts sorted.
std::vector<std::string_view> split_terms(std::string_view text) {
  std::vector<std::string_view> terms;
  std::size_t start = 0;
  bool escaped = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (escaped) {
      escaped = false;
    } else if (text[i] == '\\') {
      escaped = true;
    } else if (text[i] == ',') {
      terms.push_back(text.substr(start, i - start));
      start = i + 1;
    }
  }
  terms.push_back(text.substr(start));
  sort_stable(terms);
  return terms;
}

struct SplitTerm {
  std::string_view field, value;
  FieldSelector::Operator op;
};

std::optional<SplitTerm> split_term(std::string_view term) {
  for (std::size_t i = 0; i < term.size(); ++i) {
    const std::string_view rest = term.substr(i);
    if (rest.substr(0, 2) == "!=") {
      return SplitTerm{term.substr(0, i), rest.substr(2), FieldSelector::Operator::kNotEquals};
    }
    if (rest.front() == '=') {
      const std::size_t size = rest.substr(0, 2) == "==" ? 2 : 1;
      return SplitTerm{term.substr(0, i), rest.substr(size), FieldSelector::Operator::kEquals};
    }
  }
  return std::nullopt;
}

bool needs_escape(char c) { return c == '\\' || c == ',' || c == '='; }

Failure invalid_escape(std::string_view after_backslash) {
  return errors::bad_request("invalid field selector: invalid escape sequence: \\" +
                             std::string(after_backslash));
}

Result<std::string> unescape(std::string_view value) {
  std::string out;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const char c = value[i];
    if (c != '\\') {
      if (needs_escape(c)) {
        return errors::bad_request("invalid field selector: unescaped character in value: " +
                                   std::to_string(static_cast<int>(c)));
      }
      out += c;
      continue;
    }
    if (++i == value.size()) return invalid_escape({});
    if (!needs_escape(value[i])) {
      const std::string_view rest = value.substr(i);
      return invalid_escape(rest.substr(0, decode_rune(rest).size));
    }
    out += value[i];
  }
  return out;
}

// Returns true for resources with the default fields only: name and namespace.
bool has_default_labels(const schema::Resource& resource) {
  const auto& known = resource.selectable_fields;
  return known.size() == 2 &&
         std::find(known.begin(), known.end(), "metadata.name") != known.end() &&
         std::find(known.begin(), known.end(), "metadata.namespace") != known.end();
}

std::string unknown_label(const schema::Resource& resource, std::string_view label) {
  if (resource.type->open || !has_default_labels(resource)) {
    return "field label not supported: " + std::string(label);
  }
  return go_quote(label) +
         " is not a known field selector: only \"metadata.name\", \"metadata.namespace\"";
}

std::string print(const FieldSelector::Term& term) {
  std::string text = term.field;
  text += term.op == FieldSelector::Operator::kEquals ? "=" : "!=";
  for (const char c : term.value) {
    if (needs_escape(c)) text += '\\';
    text += c;
  }
  return text;
}

}  // namespace

Result<FieldSelector> FieldSelector::resolve(const schema::Resource& resource,
                                             UnknownLabel unknown) const {
  FieldSelector resolved = *this;
  for (Term& term : resolved.terms_) {
    const auto& known = resource.selectable_fields;
    if (std::find(known.begin(), known.end(), term.field) == known.end()) {
      return errors::bad_request(unknown != nullptr ? unknown(resource, term.field)
                                                    : unknown_label(resource, term.field));
    }
    for (const schema::FieldLabelAlias& alias : resource.selectable_field_aliases) {
      if (alias.label == term.field) {
        term.field = alias.canonical;
        break;
      }
    }
  }
  return resolved;
}

std::optional<std::string_view> FieldSelector::requires_exact_match(std::string_view field) const {
  for (const Term& term : terms_) {
    if (term.field == field && term.op == Operator::kEquals) return term.value;
  }
  return std::nullopt;
}

std::string FieldSelector::to_string() const {
  std::string text;
  for (const Term& term : terms_) {
    if (!text.empty()) text += ',';
    text += print(term);
  }
  return text;
}

Result<FieldSelector> parse_field_selector(std::string_view text) {
  FieldSelector selector;
  for (const std::string_view part : split_terms(text)) {
    if (part.empty()) continue;
    const std::optional<SplitTerm> term = split_term(part);
    if (!term) {
      return errors::bad_request("invalid selector: '" + std::string(text) +
                                 "'; can't understand '" + std::string(part) + "'");
    }
    TAB_TRY(std::string value, unescape(term->value));
    if (term->field.empty() && value.empty()) continue;  // a lone operator matches everything
    selector.terms_.push_back({std::string(term->field), term->op, std::move(value)});
  }
  return selector;
}

}  // namespace tabernetes::registry
