// The part of an object that a request addresses: the whole, or a subresource.
#pragma once

#include <string_view>

namespace tabernetes::registry {

enum class Subresource { kNone, kStatus, kFinalize, kEphemeralContainers, kResize, kApproval };

}  // namespace tabernetes::registry
