// The pages below /debug/api_priority_and_fairness/, which show what runs and waits. Source:
// upstream 1.36 apiserver/pkg/util/flowcontrol/apf_controller_debug.go.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/limits/request_limits.h"

namespace tabernetes::server {

// Returns true for the path of a page.
bool is_limit_dump(std::string_view path);

// Returns the page. `details`: dump_requests says who asks for what. Levels come by name. REQUIRES:
// is_limit_dump(path).
std::string limit_dump(PriorityLevels& levels, std::string_view path, bool details);

// Returns requests that run or have run: those of the writer and those of views.
std::uint64_t dispatched_of(const FlowCounts& counts);

}  // namespace tabernetes::server
