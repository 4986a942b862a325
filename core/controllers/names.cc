#include "controllers/names.h"

#include <algorithm>

#include "tabernetes/options.h"

namespace tabernetes {
namespace {

// A loop, its name of old, and a shorter one of ours.
struct Known {
  std::string_view name, alias, brief;
};
constexpr Known kKnown[] = {
    {controllers::kServiceAccount, "serviceaccount", ""},
    {controllers::kRootCertificate, "root-ca-cert-publisher", ""},
    {controllers::kGarbageCollector, "garbagecollector", "gc"},
    {controllers::kNamespace, "namespace", ""},
    {controllers::kDisruption, "disruption", ""},
    {controllers::kRoleAggregation, "clusterrole-aggregation", ""},
};
constexpr std::size_t kCount = std::size(kKnown);

std::size_t find_known(std::string_view name) {
  for (std::size_t i = 0; i < kCount; ++i) {
    const Known& known = kKnown[i];
    if (!name.empty() && (name == known.name || name == known.alias || name == known.brief)) {
      return i;
    }
  }
  return kCount;
}

}  // namespace

Expected<std::vector<std::string>> parse_controllers(std::string_view text) {
  bool on[kCount] = {};
  bool off[kCount] = {};
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view item = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    if (item == "none") continue;
    if (item == "*" || item == "all") {
      std::fill(std::begin(on), std::end(on), true);
      continue;
    }
    const bool minus = item.starts_with('-');
    const std::size_t known = find_known(item.substr(minus ? 1 : 0));
    if (known == kCount) return Fault{"unknown controller " + std::string(item)};
    (minus ? off : on)[known] = true;
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kCount; ++i) {
    if (on[i] && !off[i]) names.emplace_back(kKnown[i].name);
  }
  return names;
}

}  // namespace tabernetes
