#include "feature_gates.h"

#include <algorithm>
#include <array>

namespace tabernetes::host {
namespace {

// The gates of 1.36 that change what an API server answers. Others would be switches without a
// wire, so they are refused as kube-apiserver refuses an unknown one. A locked gate is generally
// available: it may be named, but not switched off.
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

}  // namespace

std::string parse_feature_gates(std::string_view text, std::map<std::string, bool>& gates) {
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string item(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));

    const std::size_t equals = item.find('=');
    if (equals == std::string::npos) return "missing bool value for " + item;
    const std::string name = item.substr(0, equals);
    const std::string value = item.substr(equals + 1);
    if (value != "true" && value != "false") {
      return std::string("invalid value of ").append(name).append(": ").append(value) +
             " (true or false)";
    }
    const auto gate = std::find_if(kGates.begin(), kGates.end(),
                                   [&](const Gate& known) { return known.name == name; });
    if (gate == kGates.end()) return "unrecognized feature gate: " + name;
    const bool on = value == "true";
    if (gate->locked && on != gate->on) {
      return std::string("cannot set feature gate ").append(name).append(" to ").append(value) +
             ", feature is locked to " + (gate->on ? "true" : "false");
    }
    gates[name] = on;
  }
  return {};
}

}  // namespace tabernetes::host
