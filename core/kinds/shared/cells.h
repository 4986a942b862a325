// Cells of tables that kinds of several groups share.
#pragma once

#include <string>
#include <string_view>

#include "kinds/row/kind.h"

namespace tabernetes::registry::kinds {

std::string scalar_or(const json::Value* value, std::string_view fallback);

void print_name_and_age(const json::Value& object, Row& row);

}  // namespace tabernetes::registry::kinds
