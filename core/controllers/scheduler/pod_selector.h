// Which pods a rule of a pod is about: of which namespaces, with which labels.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/scheduler/label_set.h"

namespace tabernetes::controllers::scheduling {

// Returns the labels of a namespace.
using NamespaceLabels = std::function<const LabelSet&(std::string_view ns)>;

class PodSelector {
 public:
  // Selects nothing.
  PodSelector() = default;
  // Selects pods of one namespace. `selector` is a LabelSelector; null or invalid: no pod.
  PodSelector(std::string_view ns, const json::Value* selector);
  // Selects the pods that a term of pod affinity of a pod in `ns` is about.
  static PodSelector of_term(std::string_view ns, const json::Value& term);
  // Selects pods of `ns` by requirements in their text form.
  static PodSelector of_text(std::string_view ns, std::string_view requirements);

  // Adds a requirement that the label has the value.
  void require(std::string_view key, std::string_view value);

  bool matches(std::string_view ns, const LabelSet& labels, const NamespaceLabels& of) const;
  // Returns true if it has no requirement about labels. Upstream does not count pods by such.
  bool is_empty() const { return selector_ && selector_->empty(); }
  // Returns true if the labels of namespaces matter.
  bool selects_namespaces() const { return by_labels_ && !by_labels_->empty(); }
  // Returns a text that equal selectors have in common.
  const std::string& id() const { return id_; }

 private:
  void name();

  std::vector<std::string> namespaces_;  // sorted
  std::optional<registry::LabelSelector> selector_, by_labels_;
  std::string id_;
};

}  // namespace tabernetes::controllers::scheduling
