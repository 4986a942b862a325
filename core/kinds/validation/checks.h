// The checks that the rules of built-in kinds call by name (`@labels`), the conditions that they
// ask
// (`?@template`), and the rules that they share (`&selector`).
#pragma once

#include <string_view>

#include "rules/rules.h"

namespace tabernetes::registry::validation {

const Vocabulary& vocabulary();

inline Check find_check(std::string_view name) { return vocabulary().check(name); }
inline std::string_view find_rules(std::string_view name) { return vocabulary().rules(name); }

// Report what rules of built-in kinds find wrong; see rules/rules.h.
inline void check(std::string_view rules, Write write, const Field& object,
                  const json::Value* old) {
  check(vocabulary(), rules, write, object, old);
}
inline void check(std::string_view rules, const Place& place) { check(vocabulary(), rules, place); }
// Of rules by their name, with a place of their own.
void check_named(std::string_view rules, const Field& place);

}  // namespace tabernetes::registry::validation
