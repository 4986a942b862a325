// Which part of an object a request addresses: all of it, or what a subresource of its kind holds.
#pragma once

#include <string_view>

namespace tabernetes::registry {

enum class Part { kWhole, kStatus, kFinalize, kEphemeralContainers, kResize, kApproval };

}  // namespace tabernetes::registry
