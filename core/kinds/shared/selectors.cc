#include "kinds/shared/selectors.h"

#include <string>

#include "registry/meta/object_meta_validation.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kSelectorRules, R"(
matchLabels @labels
matchExpressions[] &selector-term
)");

TAB_RULES(kSelectorTermRules, R"(
?operator=In|NotIn
 values required "must be specified when `operator` is 'In' or 'NotIn'"
?operator=Exists|DoesNotExist
 values forbid "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
?operator!=In|NotIn|Exists|DoesNotExist
 operator bad "not a valid selector operator"
key is:qualified
values[] is:label-value
)");

namespace {

void validate_term(const Field& term) {
  const Field values = term["values"];
  const Field op = term["operator"];
  if (op.is("In") || op.is("NotIn")) {
    if (values.empty()) values.required("must be specified when `operator` is 'In' or 'NotIn'");
  } else if (op.is("Exists") || op.is("DoesNotExist")) {
    if (!values.empty()) {
      values.forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    }
  } else {
    op.invalid("not a valid selector operator");
  }
  term["key"].format(qualified_name_faults);
  for (const Field value : values.items()) value.format(label_value_faults);
}

bool matches(const Field& term, const Field& labels) {
  const json::Value* label = labels.find(term.text_at("key"));
  const Field op = term["operator"];
  if (op.is("Exists")) return label != nullptr;
  if (op.is("DoesNotExist")) return label == nullptr;
  bool listed = false;
  const Field values = term["values"];
  for (const Field value : values.items()) {
    listed = listed || (label != nullptr && label->as_string() == value.text());
  }
  return listed == op.is("In");
}

}  // namespace

bool validate_label_selector(const Field& selector) {
  if (!selector.present()) return true;
  const std::size_t before = selector.errors().size();
  validate_label_map(selector["matchLabels"]);
  const Field terms = selector["matchExpressions"];
  for (const Field term : terms.items()) validate_term(term);
  return selector.errors().size() == before;
}

bool selects(const Field& selector, const Field& labels) {
  if (!selector.present()) return false;
  const Field terms = selector["matchExpressions"];
  for (const Field term : terms.items()) {
    if (!matches(term, labels)) return false;
  }
  return selects_by_map(selector["matchLabels"], labels);
}

bool selects_by_map(const Field& selector, const Field& labels) {
  for (const Field entry : selector.items()) {
    const json::Value* label = labels.find(entry.name());
    if (label == nullptr || label->as_string() != entry.text()) return false;
  }
  return true;
}

void validate_label_map(const Field& labels) {
  for (const Field label : labels.items()) {
    for (const std::string& fault : qualified_name_faults(label.name())) {
      labels.invalid_string(label.name(), fault);
    }
    labels.with(label).format(label_value_faults);
  }
}

void validate_annotation_map(const Field& annotations) {
  if (!annotations.empty()) {
    validate_annotations(*annotations.value(), annotations.path(), annotations.errors());
  }
}

}  // namespace tabernetes::registry::kinds
