// Node selectors and the node affinity of pods. Source: upstream 1.36 component-helpers
// scheduling/corev1/nodeaffinity.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/scheduler/label_set.h"
#include "json/value.h"

namespace tabernetes::controllers::scheduling {

// One term: all of its requirements must hold. A term without any matches nothing.
class NodeSelectorTerm {
 public:
  explicit NodeSelectorTerm(const json::Value& term);

  bool matches(std::string_view node, const LabelSet& labels) const;
  // Returns the names of nodes of which the term allows at most these; nullopt: any.
  const std::optional<std::vector<std::string>>& names() const { return names_; }

 private:
  struct NameRequirement {
    bool in = true;
    std::string name;
  };
  bool valid_ = true;  // false: matches nothing
  std::vector<registry::LabelSelector::Requirement> labels_;
  std::vector<NameRequirement> fields_;
  std::optional<std::vector<std::string>> names_;
};

// A node matches if one of the terms does.
class NodeSelector {
 public:
  NodeSelector() = default;
  explicit NodeSelector(const json::Value& selector);

  bool matches(std::string_view node, const LabelSet& labels) const;
  const std::vector<NodeSelectorTerm>& terms() const { return terms_; }

 private:
  std::vector<NodeSelectorTerm> terms_;
};

struct PreferredNodes {
  std::int64_t weight = 0;
  NodeSelectorTerm term;
};

// What a pod demands and prefers of its node.
struct NodeDemands {
  std::vector<std::pair<std::string, std::string>> labels;  // spec.nodeSelector
  std::optional<NodeSelector> required;
  std::vector<PreferredNodes> preferred;

  // REQUIRES: `spec` is that of a pod.
  static NodeDemands read(const json::Value& spec);
  bool unset() const { return labels.empty() && !required; }
  bool matches(std::string_view node, const LabelSet& labels) const;
};

}  // namespace tabernetes::controllers::scheduling
