#include "server/request/feature_gates.h"

#include <algorithm>
#include <array>
#include <string>

#include "tabernetes/options.h"

namespace tabernetes {
namespace {

// A locked gate is generally available: it may be named, but not switched off.
struct Gate {
  std::string_view name;
  bool on;
  bool locked = false;
};

constexpr std::array kGates = {
    Gate{"APIResponseCompression", true},        Gate{"AllowUnsafeMalformedObjectDeletion", false},
    Gate{"CBORServingAndStorage", false},        Gate{"ConcurrentWatchObjectDecode", false},
    Gate{"ConsistentListFromCache", true, true}, Gate{"CustomResourceFieldSelectors", true, true},
    Gate{"DetectCacheInconsistency", true},      Gate{"ListFromCacheSnapshot", true},
    Gate{"ShardedListAndWatch", false},          Gate{"WatchList", true},
};

const Gate* find_gate(std::string_view name) {
  const auto found = std::find_if(kGates.begin(), kGates.end(),
                                  [&](const Gate& known) { return known.name == name; });
  return found == kGates.end() ? nullptr : found;
}

}  // namespace

Expected<std::map<std::string, bool>> parse_feature_gates(std::string_view text) {
  std::map<std::string, bool> gates;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string item(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));

    const std::size_t equals = item.find('=');
    if (equals == std::string::npos) return Fault{"missing bool value for " + item};
    const std::string name = item.substr(0, equals);
    const std::string value = item.substr(equals + 1);
    if (value != "true" && value != "false") {
      return Fault{"invalid value of " + name + ": " + value + " (true or false)"};
    }
    const Gate* gate = find_gate(name);
    if (gate == nullptr) return Fault{"unrecognized feature gate: " + name};
    const bool on = value == "true";
    if (gate->locked && on != gate->on) {
      return Fault{"cannot set feature gate " + name + " to " + value + ", feature is locked to " +
                   (gate->on ? "true" : "false")};
    }
    gates[name] = on;
  }
  return gates;
}

bool server::gate_enabled(const Options& options, const schema::Catalogue& catalogue,
                          std::string_view name) {
  const auto chosen = options.feature_gates.find(std::string(name));
  if (chosen != options.feature_gates.end()) return chosen->second;
  if (const Gate* gate = find_gate(name)) return gate->on;
  const schema::FeatureGate* guard = catalogue.find_gate(name);
  return guard != nullptr && guard->enabled_by_default;
}

}  // namespace tabernetes
