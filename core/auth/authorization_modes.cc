// The texts of options about authorization. Source: upstream 1.36
// pkg/kubeapiserver/options/authorization.go.
#include <algorithm>
#include <array>
#include <utility>

#include "auth/abac.h"
#include "base/go/text.h"
#include "base/text/parts.h"
#include "tabernetes/options.h"

namespace tabernetes {
namespace {

struct Mode {
  std::string_view name;
  Authorization mode;
};

constexpr std::array kModes = {
    Mode{"AlwaysAllow", Authorization::kAlwaysAllow},
    Mode{"AlwaysDeny", Authorization::kAlwaysDeny},
    Mode{"ABAC", Authorization::kAbac},
    Mode{"RBAC", Authorization::kRbac},
    Mode{"Node", Authorization::kNode},
    Mode{"Webhook", Authorization::kWebhook},
};

}  // namespace

Expected<std::vector<Authorization>> parse_authorization_modes(std::string_view text) {
  std::vector<Authorization> modes;
  while (!text.empty()) {
    const std::string_view name = go_trim_space(take_part(text, ','));
    const auto* const known = std::find_if(kModes.begin(), kModes.end(),
                                           [&](const Mode& mode) { return mode.name == name; });
    if (known == kModes.end()) {
      return Fault{go_quote(name) +
                   " is not a valid mode; AlwaysAllow, AlwaysDeny, ABAC, Webhook, "
                   "Node and RBAC are"};
    }
    if (std::find(modes.begin(), modes.end(), known->mode) != modes.end()) {
      return Fault{go_quote(name) + " is specified more than once"};
    }
    modes.push_back(known->mode);
  }
  if (modes.empty()) return Fault{"at least one mode is needed"};
  return modes;
}

std::string authorization_modes_text(const std::vector<Authorization>& modes) {
  std::string text;
  for (const Authorization mode : modes) {
    const auto* const known = std::find_if(kModes.begin(), kModes.end(),
                                           [&](const Mode& one) { return one.mode == mode; });
    text.append(text.empty() ? "" : ",").append(known->name);
  }
  return text;
}

Expected<void> check_authorization_policy(std::string_view text) {
  const auth::AbacPolicies policies(text);
  if (policies.fault().empty()) return {};
  return Fault{policies.fault()};
}

}  // namespace tabernetes
