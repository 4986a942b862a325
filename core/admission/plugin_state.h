// Data that plugins keep between requests: one object per cluster, used by the writer's thread
// only.
#pragma once

#include "admission/policy_set.h"

namespace tabernetes::admission {

struct PluginState {
  PolicySet validating_policies;
};

}  // namespace tabernetes::admission
