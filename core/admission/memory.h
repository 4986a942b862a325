// What plugins keep between requests: one for each cluster, for the writer's thread only.
#pragma once

#include "admission/policy_set.h"

namespace tabernetes::admission {

struct Memory {
  PolicySet validating_policies;
};

}  // namespace tabernetes::admission
