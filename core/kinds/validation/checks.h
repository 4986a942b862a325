// The names that the rules of built-in kinds use: checks (`@labels`), conditions (`?@template`) and
// shared rules (`&selector`).
#pragma once

#include <string_view>

#include "rules/rules.h"

namespace tabernetes::registry::validation {

const Vocabulary& vocabulary();

inline Check find_check(std::string_view name) { return vocabulary().check(name); }
inline std::string_view find_rules(std::string_view name) { return vocabulary().rules(name); }

// Check by rules of built-in kinds; see rules/rules.h.
inline void check(std::string_view rules, Write write, const Field& object,
                  const json::Value* old) {
  check(vocabulary(), rules, write, object, old);
}
inline void check(std::string_view rules, const Place& place) { check(vocabulary(), rules, place); }
// Checks `place` by shared rules.
void check_named(std::string_view rules, const Field& place);

}  // namespace tabernetes::registry::validation
