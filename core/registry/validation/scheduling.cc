// Where a pod may run: affinity, tolerations, spread over the topology.
// Source: upstream 1.36 pkg/apis/core/validation/validation.go, validateAffinity,
// ValidateTolerations, validateTopologySpreadConstraints.

#include <string>

#include "registry/validation/checks.h"
#include "registry/validation/pod_parts.h"
#include "registry/validation/selectors.h"

namespace tabernetes::registry::validation {
namespace {

constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
constexpr std::string_view kPreferred = "preferredDuringSchedulingIgnoredDuringExecution";

// Rules of valid objects beyond pods' are text (validation/rules).
void apply(std::string_view rules, const Field& place) {
  check(find_rules(rules), Place{place, nullptr, Write::kCreate, place.value()});
}

void validate_weight(const Field& weight) {
  if (weight.number() >= 1 && weight.number() <= 100) return;
  weight.invalid_as(std::to_string(weight.number()), "must be in the range 1-100");
}

void validate_node_affinity(const Field& affinity) {
  if (affinity.has(kRequired)) apply("node-selector", affinity[kRequired]);
  const Field terms = affinity[kPreferred];
  for (const Field term : terms.items()) {
    validate_weight(term["weight"]);
    apply("preferred-node-term", term["preference"]);
  }
}

bool has_text(const Field& list, std::string_view text) {
  for (const Field item : list.items()) {
    if (item.text() == text) return true;
  }
  return false;
}

void validate_label_keys(const Field& keys, const Field& selector) {
  if (keys.empty()) return;
  if (!selector.present()) {
    return keys.forbidden("must not be specified when labelSelector is not set");
  }
  for (const Field key : keys.items()) key.format(qualified_name_faults);
}

// Where the last of equal keys stands.
std::size_t last_index(const Field& keys, std::string_view text) {
  for (std::size_t i = keys.size(); i > 0; --i) {
    if (keys.item(i - 1).text() == text) return i - 1;
  }
  return 0;
}

// `place` has matchLabelKeys, mismatchLabelKeys and labelSelector.
void validate_match_keys(const Field& place) {
  const Field keys = place["matchLabelKeys"];
  const Field others = place["mismatchLabelKeys"];
  const Field selector = place["labelSelector"];
  validate_label_keys(keys, selector);
  validate_label_keys(others, selector);
  if (keys.empty()) return;
  const Field labels = selector["matchLabels"];
  const Field terms = selector["matchExpressions"];
  NameTable seen;
  for (const Field label : labels.items()) seen.add(label.name());
  for (const Field term : terms.items()) {
    const std::string_view key = term.text_at("key");
    if (has_text(keys, key) && seen.has(key)) {
      // Upstream's path has the number behind the term itself.
      place.item_place(last_index(keys, key))
          .invalid_text(key, "exists in both matchLabelKeys and labelSelector");
    }
    seen.add(key);
  }
  for (const Field key : keys.items()) {
    if (has_text(others, key.text())) {
      key.invalid("exists in both matchLabelKeys and mismatchLabelKeys");
    }
  }
}

void validate_pod_term(const Field& term) {
  validate_label_selector(term["labelSelector"]);
  validate_label_selector(term["namespaceSelector"]);
  const Field namespaces = term["namespaces"];
  for (const Field ns : namespaces.items()) term.as("namespace", ns).format(dns1123_label_faults);
  validate_match_keys(term);
  term["topologyKey"].require("can not be empty");
  term["topologyKey"].format(qualified_name_faults);
}

void validate_pod_affinity(const Field& affinity) {
  const Field required = affinity[kRequired];
  for (const Field term : required.items()) validate_pod_term(term);
  const Field preferred = affinity[kPreferred];
  for (const Field term : preferred.items()) {
    validate_weight(term["weight"]);
    validate_pod_term(term["podAffinityTerm"]);
  }
}

void validate_min_domains(const Field& constraint) {
  const Field domains = constraint["minDomains"];
  const std::string_view action = constraint.text_at("whenUnsatisfiable");
  if (!domains.present()) return;
  domains.positive();
  if (action != "DoNotSchedule") {
    domains.invalid("can only use minDomains if whenUnsatisfiable=DoNotSchedule, not " +
                    std::string(action));
  }
}

// A later one for the same topology.
bool is_repeated(const Field& constraints, const Field& constraint) {
  for (std::size_t i = constraint.index() + 1; i < constraints.size(); ++i) {
    const Field other = constraints.item(i);
    if (other.text_at("topologyKey") == constraint.text_at("topologyKey") &&
        other.text_at("whenUnsatisfiable") == constraint.text_at("whenUnsatisfiable")) {
      return true;
    }
  }
  return false;
}

}  // namespace

void validate_affinity(const Field& affinity) {
  validate_node_affinity(affinity["nodeAffinity"]);
  validate_pod_affinity(affinity["podAffinity"]);
  validate_pod_affinity(affinity["podAntiAffinity"]);
}

void validate_tolerations(const Field& tolerations) {
  for (const Field toleration : tolerations.items()) apply("toleration", toleration);
}

void validate_topology_spread(const Field& constraints) {
  for (const Field constraint : constraints.items()) {
    constraint["maxSkew"].positive();
    constraint["topologyKey"].require("can not be empty");
    constraint["whenUnsatisfiable"].one_of("DoNotSchedule,ScheduleAnyway");
    if (is_repeated(constraints, constraint)) {
      constraint["{topologyKey, whenUnsatisfiable}"].duplicate_as(
          "\"{" + std::string(constraint.text_at("topologyKey")) + ", " +
          std::string(constraint.text_at("whenUnsatisfiable")) + "}\"");
    }
    validate_min_domains(constraint);
    constraint["nodeAffinityPolicy"].one_of_or_absent("Honor,Ignore");
    constraint["nodeTaintsPolicy"].one_of_or_absent("Honor,Ignore");
    validate_match_keys(constraint);
    validate_label_selector(constraint["labelSelector"]);
  }
}

}  // namespace tabernetes::registry::validation
