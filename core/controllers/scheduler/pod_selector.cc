#include "controllers/scheduler/pod_selector.h"

#include <algorithm>

#include "base/algorithm/sort.h"
#include "json/access.h"
#include "registry/selectors/selector_object.h"

namespace tabernetes::controllers::scheduling {

using json::Value;

PodSelector::PodSelector(std::string_view ns, const Value* selector) {
  namespaces_.emplace_back(ns);
  if (selector != nullptr && selector->is_object()) {
    selector_ = registry::read_label_selector(*selector);
  }
  name();
}

PodSelector PodSelector::of_term(std::string_view ns, const Value& term) {
  PodSelector result;
  for (const Value& item : json::items_in(term, "namespaces")) {
    result.namespaces_.emplace_back(json::text_of(item));
  }
  const Value* by_labels = term.find("namespaceSelector");
  if (by_labels != nullptr && by_labels->is_object()) {
    result.by_labels_ = registry::read_label_selector(*by_labels);
  } else if (result.namespaces_.empty()) {
    result.namespaces_.emplace_back(ns);
  }
  sort_stable(result.namespaces_);
  const Value* selector = term.find("labelSelector");
  if (selector != nullptr && selector->is_object()) {
    result.selector_ = registry::read_label_selector(*selector);
  }
  result.name();
  return result;
}

PodSelector PodSelector::of_text(std::string_view ns, std::string_view requirements) {
  PodSelector result;
  result.namespaces_.emplace_back(ns);
  if (auto parsed = registry::parse_label_selector(requirements)) {
    result.selector_ = std::move(*parsed);
  }
  result.name();
  return result;
}

void PodSelector::require(std::string_view key, std::string_view value) {
  if (!selector_) return;
  std::string text = selector_->to_string();
  if (!text.empty()) text += ',';
  text.append(key).append("=").append(value);
  if (auto parsed = registry::parse_label_selector(text)) selector_ = std::move(*parsed);
  name();
}

bool PodSelector::matches(std::string_view ns, const LabelSet& labels,
                          const NamespaceLabels& of) const {
  if (!selector_) return false;
  const bool in_namespace =
      std::find(namespaces_.begin(), namespaces_.end(), ns) != namespaces_.end() ||
      (by_labels_ && (by_labels_->empty() || of(ns).match(*by_labels_)));
  return in_namespace && labels.match(*selector_);
}

void PodSelector::name() {
  id_.clear();
  for (const std::string& ns : namespaces_) id_.append(ns).append(" ");
  id_ += '|';
  if (by_labels_) id_.append("*").append(by_labels_->to_string());
  id_ += '|';
  id_ += selector_ ? selector_->to_string() : "!";
}

}  // namespace tabernetes::controllers::scheduling
