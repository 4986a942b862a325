// How a host measures durations: the core has no clock.
#pragma once

#include <cstdint>
#include <functional>

namespace tabernetes {

// Returns nanoseconds since a moment that never changes, and never goes back. Called on any thread.
using Stopwatch = std::function<std::int64_t()>;

}  // namespace tabernetes
