// Cells of admissionregistration.k8s.io. Upstream 1.36: printers/internalversion/printers.go.
#include <string>

#include "registry/kinds/cell_text.h"
#include "registry/kinds/printers.h"
#include "registry/kinds/row.h"

namespace tabernetes::registry {
namespace {

using json::Value;

std::string parameter_kind(const Value& policy) {
  if (!has(policy, {"spec", "paramKind"})) return std::string(kUnset);
  return std::string(text_at(policy, {"spec", "paramKind", "apiVersion"})) + "/" +
         std::string(text_at(policy, {"spec", "paramKind", "kind"}));
}

// Upstream shows a selector as a Go debug text with pointers in it; we show the selector.
std::string parameter_reference(const Value& binding) {
  if (!has(binding, {"spec", "paramRef"})) return std::string(kUnset);
  const std::string_view name = text_at(binding, {"spec", "paramRef", "name"});
  if (name.empty()) return selector_text(binding.at({"spec", "paramRef", "selector"}));
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

}  // namespace tabernetes::registry
