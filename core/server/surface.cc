#include "server/surface.h"

#include <string>

namespace tabernetes::server {

bool gate_enabled(const Options& options, const schema::Catalogue& catalogue,
                  std::string_view name) {
  const auto chosen = options.feature_gates.find(std::string(name));
  if (chosen != options.feature_gates.end()) return chosen->second;
  for (const schema::FeatureGate& gate : catalogue.feature_gates()) {
    if (gate.name == name) return gate.enabled_by_default;
  }
  return false;
}

}  // namespace tabernetes::server
