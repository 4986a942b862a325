#include "custom/definition/metrics_kinds.h"

#include <algorithm>
#include <span>
#include <utility>

#include "codec/json_reader.h"
#include "custom/definition/definitions.h"
#include "custom/objects/custom_kind.h"

namespace tabernetes::registry::custom {
namespace {

constexpr std::string_view kNodeMetrics = R"({
"metadata": {"name": "nodes.metrics.k8s.io"},
"spec": {
  "group": "metrics.k8s.io", "scope": "Cluster",
  "names": {"plural": "nodes", "singular": "", "kind": "NodeMetrics", "listKind": "NodeMetricsList"},
  "versions": [{
    "name": "v1beta1", "served": true, "storage": true,
    "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}},
    "additionalPrinterColumns": [
      {"name": "CPU", "type": "string", "jsonPath": ".usage.cpu"},
      {"name": "Memory", "type": "string", "jsonPath": ".usage.memory"},
      {"name": "Window", "type": "string", "jsonPath": ".window"}]}]},
"status": {
  "acceptedNames": {"plural": "nodes", "singular": "", "kind": "NodeMetrics",
                    "listKind": "NodeMetricsList"},
  "conditions": [{"type": "NamesAccepted", "status": "True"},
                 {"type": "Established", "status": "True"}]}})";

constexpr std::string_view kPodMetrics = R"({
"metadata": {"name": "pods.metrics.k8s.io"},
"spec": {
  "group": "metrics.k8s.io", "scope": "Namespaced",
  "names": {"plural": "pods", "singular": "", "kind": "PodMetrics", "listKind": "PodMetricsList"},
  "versions": [{
    "name": "v1beta1", "served": true, "storage": true,
    "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}},
    "additionalPrinterColumns": [
      {"name": "CPU", "type": "string", "jsonPath": ".containers[*].usage.cpu"},
      {"name": "Memory", "type": "string", "jsonPath": ".containers[*].usage.memory"},
      {"name": "Window", "type": "string", "jsonPath": ".window"}]}]},
"status": {
  "acceptedNames": {"plural": "pods", "singular": "", "kind": "PodMetrics",
                    "listKind": "PodMetricsList"},
  "conditions": [{"type": "NamesAccepted", "status": "True"},
                 {"type": "Established", "status": "True"}]}})";

constexpr std::string_view kApi = "apiregistration.k8s.io/apiservices/v1beta1.metrics.k8s.io";

using Kind = std::shared_ptr<const DynamicKind>;

Kind kind_of(std::string_view definition) {
  json::Arena arena;
  return CustomKind::make(codec::read_json(definition, arena).value, nullptr);
}

std::span<const Kind> metrics_kinds() {
  static const Kind kKinds[] = {kind_of(kNodeMetrics), kind_of(kPodMetrics)};
  return kKinds;
}

// Returns `table` with the kinds, or without them.
Definitions::TablePtr with_metrics(const Definitions::TablePtr& table, bool served) {
  ResourceTable::DynamicKinds kinds = table->defined();
  for (const Kind& kind : metrics_kinds()) {
    const auto at = std::find_if(kinds.begin(), kinds.end(),
                                 [&](const auto& known) { return known->name() >= kind->name(); });
    if (!served && at != kinds.end() && *at == kind) kinds.erase(at);
    if (served && (at == kinds.end() || (*at)->name() != kind->name())) kinds.insert(at, kind);
  }
  if (kinds.size() == table->defined().size()) return table;
  return std::make_shared<const ResourceTable>(*table, std::move(kinds));
}

class DefinitionsAndMetrics final : public Definitions {
 public:
  std::string_view prefix() const override { return definitions().prefix(); }
  TablePtr after_write(const TablePtr& table, const ResourceType& type, std::string_view name,
                       const store::Record* record) const override {
    const bool tells = kApi.starts_with(type.key_prefix) && kApi.ends_with(name) &&
                       kApi.size() == type.key_prefix.size() + name.size();
    return tells ? with_metrics(table, record != nullptr)
                 : definitions().after_write(table, type, name, record);
  }
  TablePtr of_state(const TablePtr& table, const store::Tree& state) const override {
    return with_metrics(definitions().of_state(table, state), state.find(kApi) != nullptr);
  }
};

}  // namespace

const Definitions& definitions_and_metrics() {
  static const DefinitionsAndMetrics kDefinitions;
  return kDefinitions;
}

}  // namespace tabernetes::registry::custom
