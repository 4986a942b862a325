// Cells and warnings that kinds of this group share. Source: upstream 1.36
// printers/internalversion/printers.go, pkg/registry/admissionregistration.
#include "kinds/admissionregistration/shared.h"

#include <map>
#include <string>

#include "base/go/text.h"
#include "json/access.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"
#include "registry/kind/warnings.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Value;

std::string parameter_kind(const Value& policy) {
  if (!has(policy, {"spec", "paramKind"})) return std::string(kUnset);
  return std::string(text_at(policy, {"spec", "paramKind", "apiVersion"})) + "/" +
         std::string(text_at(policy, {"spec", "paramKind", "kind"}));
}

// Prints a LabelSelector as Go prints the protobuf message.
std::string go_selector_text(const Value& selector) {
  std::map<std::string_view, std::string_view> labels;
  for (const json::Member& label : members_at(selector, {"matchLabels"})) {
    if (label.value.is_string()) labels[label.key] = label.value.as_string();
  }
  std::string text = "&LabelSelector{MatchLabels:map[string]string{";
  for (const auto& [key, value] : labels) {
    text.append(key).append(": ").append(value).append(",");
  }
  text += "},MatchExpressions:[]LabelSelectorRequirement{";
  for (const Value& expression : items_at(selector, {"matchExpressions"})) {
    text.append("LabelSelectorRequirement{Key:").append(expression.string_at("key"));
    text.append(",Operator:").append(expression.string_at("operator"));
    text.append(",Values:[").append(join_strings(items_at(expression, {"values"}), " "));
    text.append("],},");
  }
  return text + "},}";
}

std::string parameter_reference(const Value& binding) {
  if (!has(binding, {"spec", "paramRef"})) return std::string(kUnset);
  const std::string_view name = text_at(binding, {"spec", "paramRef", "name"});
  if (name.empty()) {
    const Value* selector = binding.at({"spec", "paramRef", "selector"});
    if (selector == nullptr || selector->is_null()) return std::string(kUnset);
    return go_selector_text(*selector);
  }
  const std::string_view space = text_at(binding, {"spec", "paramRef", "namespace"});
  return std::string(space.empty() ? "*" : space) + "/" + std::string(name);
}

}  // namespace

void print_webhook_configuration(const Value& object, Row& row) {
  row.name(object);
  row.number(items_at(object, {"webhooks"}).size());
  row.age(object);
}

void print_validating_admission_policy(const Value& object, Row& row) {
  row.name(object);
  row.number(items_at(object, {"spec", "validations"}).size());
  row.text(parameter_kind(object));
  row.age(object);
}

void print_mutating_admission_policy(const Value& object, Row& row) {
  row.name(object);
  row.number(items_at(object, {"spec", "mutations"}).size());
  row.text(parameter_kind(object));
  row.age(object);
}

void print_admission_policy_binding(const Value& object, Row& row) {
  row.name(object);
  row.text(text_at(object, {"spec", "policyName"}));
  row.text(parameter_reference(object));
  row.age(object);
}

void warn_of_static_name(const Field& object, const Value*, Warnings& out) {
  constexpr std::string_view kSuffix = ".static.k8s.io";
  if (!object["metadata"].text_at("name").ends_with(kSuffix)) return;
  out.add({"metadata.name: names ending with ", go_quote(kSuffix),
           " are reserved for static manifest-based configurations and cannot be managed via the "
           "API"});
}

}  // namespace tabernetes::registry::kinds
