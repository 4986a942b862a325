#include "controllers/scheduler/node_selector.h"

#include <algorithm>

#include "base/go/text.h"
#include "json/access.h"

namespace tabernetes::controllers::scheduling {
namespace {

using json::Value;
using Requirement = registry::LabelSelector::Requirement;

std::vector<std::string> values_of(const Value& requirement) {
  std::vector<std::string> values;
  for (const Value& value : json::items_in(requirement, "values")) {
    values.emplace_back(json::text_of(value));
  }
  return values;
}

// Returns nullopt for a requirement that no node can meet.
std::optional<Requirement> read_requirement(const Value& text) {
  using enum registry::LabelSelector::Operator;
  Requirement requirement;
  requirement.key = text.string_at("key");
  requirement.values = values_of(text);
  const std::string_view op = text.string_at("operator");
  if (op == "In" || op == "NotIn") {
    if (requirement.values.empty()) return std::nullopt;
    requirement.op = op == "In" ? kIn : kNotIn;
    return requirement;
  }
  if (op == "Exists" || op == "DoesNotExist") {
    requirement.op = op == "Exists" ? kExists : kDoesNotExist;
    return requirement;
  }
  if ((op != "Gt" && op != "Lt") || requirement.values.size() != 1) return std::nullopt;
  const auto bound = go_parse_int(requirement.values[0]);
  if (!bound.error.empty()) return std::nullopt;
  requirement.op = op == "Gt" ? kGreaterThan : kLessThan;
  requirement.bound = bound.value;
  return requirement;
}

bool is_empty_term(const Value& term) {
  return json::items_in(term, "matchExpressions").empty() &&
         json::items_in(term, "matchFields").empty();
}

// Keeps the names that are in both lists.
void intersect(std::optional<std::vector<std::string>>& names, std::vector<std::string> others) {
  if (!names) {
    names = std::move(others);
    return;
  }
  std::erase_if(*names, [&](const std::string& name) {
    return std::find(others.begin(), others.end(), name) == others.end();
  });
}

}  // namespace

NodeSelectorTerm::NodeSelectorTerm(const Value& term) {
  for (const Value& text : json::items_in(term, "matchExpressions")) {
    if (std::optional<Requirement> requirement = read_requirement(text)) {
      labels_.push_back(std::move(*requirement));
    } else {
      valid_ = false;
    }
  }
  for (const Value& text : json::items_in(term, "matchFields")) {
    const std::string_view op = text.string_at("operator");
    const std::vector<std::string> values = values_of(text);
    if (text.string_at("key") == "metadata.name" && op == "In") intersect(names_, values);
    if (values.size() != 1 || (op != "In" && op != "NotIn")) {
      valid_ = false;
    } else {
      fields_.push_back({op == "In", values[0]});
    }
  }
  if (is_empty_term(term)) valid_ = false;
}

bool NodeSelectorTerm::matches(std::string_view node, const LabelSet& labels) const {
  if (!valid_) return false;
  for (const Requirement& requirement : labels_) {
    if (!requirement.matches(labels.find(requirement.key))) return false;
  }
  return std::all_of(fields_.begin(), fields_.end(), [&](const NameRequirement& field) {
    return (field.name == node) == field.in;
  });
}

NodeSelector::NodeSelector(const Value& selector) {
  for (const Value& term : json::items_in(selector, "nodeSelectorTerms")) {
    terms_.emplace_back(term);
  }
}

bool NodeSelector::matches(std::string_view node, const LabelSet& labels) const {
  return std::any_of(terms_.begin(), terms_.end(),
                     [&](const NodeSelectorTerm& term) { return term.matches(node, labels); });
}

NodeDemands NodeDemands::read(const Value& spec) {
  NodeDemands demands;
  for (const json::Member& member : json::members_at(spec, {"nodeSelector"})) {
    demands.labels.emplace_back(member.key, json::text_of(member.value));
  }
  const Value* affinity = spec.at({"affinity", "nodeAffinity"});
  if (affinity == nullptr || !affinity->is_object()) return demands;
  if (const Value* required =
          json::object_in(*affinity, "requiredDuringSchedulingIgnoredDuringExecution")) {
    demands.required.emplace(*required);
  }
  for (const Value& preferred :
       json::items_in(*affinity, "preferredDuringSchedulingIgnoredDuringExecution")) {
    const Value* term = json::object_in(preferred, "preference");
    const std::int64_t weight = json::number_at(preferred, {"weight"});
    if (weight == 0 || term == nullptr || is_empty_term(*term)) continue;
    demands.preferred.push_back({weight, NodeSelectorTerm(*term)});
  }
  return demands;
}

bool NodeDemands::matches(std::string_view node, const LabelSet& own) const {
  for (const auto& [key, value] : labels) {
    if (own.find(key) != std::optional<std::string_view>(value)) return false;
  }
  return !required || required->matches(node, own);
}

}  // namespace tabernetes::controllers::scheduling
