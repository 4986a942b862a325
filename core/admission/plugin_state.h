// Data that plugins keep between requests: one object per cluster, used by the writer's thread
// only.
#pragma once

#include <functional>
#include <string_view>

#include "admission/policy_set.h"
#include "tabernetes/time.h"

namespace tabernetes::admission {

// Makes the ServiceAccount `default` of a namespace, if that is active. Empty: nobody does.
using DefaultAccountMaker = std::function<void(std::string_view ns, Time now)>;

struct PluginState {
  PolicySet validating_policies;
  DefaultAccountMaker make_default_account;
};

}  // namespace tabernetes::admission
