// Source of the words: upstream 1.36 component-base, featuregate/feature_gate.go and
// compatibility/registry.go.
#include "schema/feature_gates.h"

#include <cassert>
#include <optional>
#include <vector>

#include "base/go/text.h"
#include "base/text/parts.h"
#include "tabernetes/options.h"

namespace tabernetes {
namespace {

using schema::Catalogue;
using schema::FeatureGate;
using schema::FeatureGates;

const std::vector<FeatureGate>& all_gates() { return Catalogue::built_in().feature_gates(); }

// Parses as strconv.ParseBool does.
std::optional<bool> parse_bool(std::string_view text) {
  for (const std::string_view yes : {"1", "t", "T", "true", "TRUE", "True"}) {
    if (text == yes) return true;
  }
  for (const std::string_view no : {"0", "f", "F", "false", "FALSE", "False"}) {
    if (text == no) return false;
  }
  return std::nullopt;
}

std::string_view word(bool on) { return on ? "true" : "false"; }

// Reads one "Name=true" into `gates`.
Expected<void> read_gate(std::string_view item, std::map<std::string, bool>& gates) {
  const bool has_value = item.find('=') != std::string_view::npos;
  const std::string name(go_trim_space(take_part(item, '=')));
  if (!has_value) return Fault{"missing bool value for " + name};
  const std::string value(go_trim_space(item));
  const std::optional<bool> on = parse_bool(value);
  if (!on) {
    return Fault{"invalid value of " + name + "=" + value + ", err: strconv.ParseBool: parsing " +
                 go_quote(value) + ": invalid syntax"};
  }
  gates[name] = *on;
  return {};
}

// Returns what is wrong with each of the gates.
std::vector<std::string> faults_of_each(const std::map<std::string, bool>& chosen) {
  std::vector<std::string> faults;
  for (const auto& [name, on] : chosen) {
    const FeatureGate* gate = Catalogue::built_in().find_gate(name);
    if (gate == nullptr) return {"unrecognized feature gate: " + name};
    if (!gate->locked || on == gate->enabled_by_default) continue;
    faults.push_back("cannot set feature gate " + name + " to " + std::string(word(on)) +
                     ", feature is locked to " + std::string(word(gate->enabled_by_default)));
  }
  return faults;
}

// Returns an error for each gate that is on while one that it needs is off.
std::vector<std::string> faults_together(const FeatureGates& gates) {
  std::vector<std::string> faults;
  for (std::size_t i = 0; i < all_gates().size(); ++i) {
    if (!gates.enabled(i)) continue;
    std::string missing;
    for (const std::uint8_t needed : all_gates()[i].needs) {
      if (gates.enabled(needed)) continue;
      append_part(missing, all_gates()[needed].name, " ");
    }
    if (missing.empty()) continue;
    faults.push_back(std::string(all_gates()[i].name) +
                     " is enabled, but depends on features that are disabled: [" + missing + "]");
  }
  return faults;
}

Expected<void> check(const std::vector<std::string>& faults) {
  if (faults.empty()) return {};
  return Fault{go_aggregate(faults)};
}

}  // namespace

Expected<std::map<std::string, bool>> parse_feature_gates(std::string_view text) {
  std::map<std::string, bool> gates;
  bool named = false, unnamed = false;  // the component
  while (!text.empty()) {
    std::string_view item = take_part(text, ',');
    if (item.empty()) continue;
    if (item.find(':') == std::string_view::npos) {
      unnamed = true;
    } else {
      const std::string_view component = go_trim_space(take_part(item, ':'));
      if (!component.empty() && component != "kube") {
        return Fault{"component not registered: " + std::string(component)};
      }
      (component.empty() ? unnamed : named) = true;
    }
    if (named && unnamed) {
      return Fault{
          "set kube feature gates with default empty prefix or kube: prefix consistently, do not "
          "mix use"};
    }
    if (auto read = read_gate(go_trim_space(item), gates); !read) return std::move(read).fault();
  }
  if (auto checked = check(faults_of_each(gates)); !checked) return std::move(checked).fault();
  return gates;
}

Expected<void> check_feature_gates(const std::map<std::string, bool>& gates) {
  if (auto checked = check(faults_of_each(gates)); !checked) return checked;
  return check(faults_together(FeatureGates(gates)));
}

namespace schema {

FeatureGates::FeatureGates(const std::map<std::string, bool>& chosen) {
  const auto choice = [&](std::string_view name) {
    const auto found = chosen.find(std::string(name));
    return found == chosen.end() ? std::nullopt : std::optional(found->second);
  };
  const std::optional<bool> all_alpha = choice("AllAlpha"), all_beta = choice("AllBeta");
  for (const FeatureGate& gate : all_gates()) {
    std::optional<bool> on = choice(gate.name);
    if (!on && gate.name != "AllAlpha" && gate.name != "AllBeta") {
      if (gate.stage == GateStage::kAlpha) on = all_alpha;
      if (gate.stage == GateStage::kBeta) on = all_beta;
    }
    enabled_.push_back(on.value_or(gate.enabled_by_default) ? 1 : 0);
  }
}

bool FeatureGates::enabled(std::string_view name) const {
  const FeatureGate* gate = Catalogue::built_in().find_gate(name);
  assert(gate != nullptr);
  return gate != nullptr && enabled(static_cast<std::size_t>(gate - all_gates().data()));
}

std::string_view metric_label(GateStage stage) {
  switch (stage) {
    case GateStage::kAlpha:
      return "ALPHA";
    case GateStage::kBeta:
      return "BETA";
    case GateStage::kGeneral:
      return "";
    case GateStage::kDeprecated:
      return "DEPRECATED";
  }
  return "";
}

}  // namespace schema
}  // namespace tabernetes
