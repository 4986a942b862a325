// Conditions: one entry a type, with the time since when it has its status.
#pragma once

#include <cstdint>
#include <string_view>

#include "json/value.h"
#include "tabernetes/time.h"

namespace tabernetes::registry {

// Returns the first entry of status.conditions with that type; null if there is none.
const json::Value* find_condition(const json::Value& object, std::string_view type);
// Returns the last one, where upstream goes through a map by type.
const json::Value* last_condition(const json::Value& object, std::string_view type);
// Returns true if find_condition() finds one whose status is True.
bool condition_is_true(const json::Value& object, std::string_view type);

struct Condition {
  std::string_view type, status, reason = {}, message = {};
  std::int64_t observed_generation = 0;  // 0: left out
};

// Puts the condition into `holder`.conditions, in the place of the one of its type, or at the end.
// Its lastTransitionTime becomes `now` if the status changes.
void set_condition(json::Value& holder, const Condition& condition, Time now, json::Arena& arena);

}  // namespace tabernetes::registry
