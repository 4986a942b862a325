// How many pods the controllers of some pods want to have, all together.
#pragma once

#include <string>
#include <vector>

#include "controllers/control_loop.h"
#include "json/value.h"

namespace tabernetes::controllers {

struct ExpectedPods {
  std::int64_t count = 0;
  bool some_unmanaged = false;  // a pod without a controller
  std::string error;            // why nobody can tell
};
ExpectedPods expected_pods(const Turn& turn, const std::vector<json::Value>& pods);

}  // namespace tabernetes::controllers
