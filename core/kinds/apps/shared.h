// What workloads of this group share.
#pragma once

#include <string>
#include <string_view>

#include "kinds/row/kind.h"

namespace tabernetes::registry::kinds {

// Returns false if the selector is invalid; a missing one is reported only.
bool validate_selector(const Field& selector, std::string_view kind);

// Returns "1/3".
std::string ready_of_desired(const json::Value& object);

}  // namespace tabernetes::registry::kinds
