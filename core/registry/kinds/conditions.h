// Lists of conditions: one entry a type, and the time since when it has its status.
#pragma once

#include <string_view>

#include "json/value.h"
#include "registry/strategy.h"

namespace tabernetes::registry::kinds {

struct Condition {
  std::string_view type, status, reason = {}, message = {};
  std::int64_t observed_generation = 0;  // 0: not said
};

// Puts the condition into `holder`.conditions, in the place of the one of its type, or at the end.
// Its lastTransitionTime stays where the status does.
void set_condition(const HookContext& context, json::Value& holder, const Condition& condition);

}  // namespace tabernetes::registry::kinds
