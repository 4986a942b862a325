#include "controllers/names.h"

#include <algorithm>

#include "base/parts.h"
#include "tabernetes/controllers.h"

namespace tabernetes {
namespace {

// A control loop's name, its old name, and our abbreviation.
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

std::string parse_controllers(std::string_view text, std::vector<std::string>& names) {
  bool on[kCount] = {};
  bool off[kCount] = {};
  while (!text.empty()) {
    const std::string_view item = take_part(text, ',');
    if (item == "none") continue;
    if (item == "*" || item == "all") {
      std::fill(std::begin(on), std::end(on), true);
      continue;
    }
    const bool minus = item.starts_with('-');
    const std::size_t known = find_known(item.substr(minus ? 1 : 0));
    if (known == kCount) return "unknown controller " + std::string(item);
    (minus ? off : on)[known] = true;
  }
  names.clear();
  for (std::size_t i = 0; i < kCount; ++i) {
    if (on[i] && !off[i]) names.emplace_back(kKnown[i].name);
  }
  return {};
}

}  // namespace tabernetes
