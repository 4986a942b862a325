// How a Job ended, by its conditions.
#pragma once

#include <string_view>

#include "json/value.h"

namespace tabernetes::controllers {

// Returns "Complete" or "Failed", or an empty text for a Job that has not finished.
std::string_view finished_condition(const json::Value& job);
// Returns whether the status of a Job says that a condition is true.
bool condition_is(const json::Value& status, std::string_view type);

}  // namespace tabernetes::controllers
