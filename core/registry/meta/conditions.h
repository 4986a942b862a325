// status.conditions: one entry per type, with the time of its last transition.
#pragma once

#include <cstdint>
#include <string_view>

#include "json/value.h"
#include "tabernetes/time.h"

namespace tabernetes::registry {

// Returns the first entry of status.conditions with the type, or null.
const json::Value* find_condition(const json::Value& object, std::string_view type);
// Returns the last entry with the type, or null, where upstream reads a map by type.
const json::Value* last_condition(const json::Value& object, std::string_view type);
// Returns true if find_condition() returns a condition with status True.
bool condition_is_true(const json::Value& object, std::string_view type);

struct Condition {
  std::string_view type, status, reason = {}, message = {};
  std::int64_t observed_generation = 0;  // 0: omitted
};

// Replaces the condition of the same type in `holder`.conditions, or appends it. Sets its
// lastTransitionTime to `now` if the status changes.
void set_condition(json::Value& holder, const Condition& condition, Time now, json::Arena& arena);

}  // namespace tabernetes::registry
