// Deep equality of working trees: ignores the order of members, compares numbers by value.
#pragma once

#include <string_view>

#include "json/value.h"

namespace tabernetes::json {

bool deep_equal(const Value& a, const Value& b);
// The same of values that may be missing: null pointers equal each other, and nothing else.
bool deep_equal(const Value* a, const Value* b);
// Returns true if both are the same array or object, as a shallow copy has it; they may be equal
// otherwise, too.
bool shares_content(const Value& a, const Value& b);
// Returns true if member `key` is equal in both, or missing in both.
bool same_member(const Value& a, const Value& b, std::string_view key);

}  // namespace tabernetes::json
