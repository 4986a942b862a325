// The directives of a strategic merge patch. Source: spec/patch-apply.md 5.2.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/api/api_status.h"
#include "json/value.h"

namespace tabernetes::patch {

inline constexpr std::string_view kPatchDirective = "$patch";
inline constexpr std::string_view kRetainKeys = "$retainKeys";
inline constexpr std::string_view kDeleteFromList = "$deleteFromPrimitiveList";
inline constexpr std::string_view kSetElementOrder = "$setElementOrder";

// The real server's message if a patch makes it panic.
inline constexpr std::string_view kCrash =
    "This request caused apiserver to panic. Look in the logs for details.";

inline bool is_text(const json::Value& value, std::string_view text) {
  return value.is_string() && value.as_string() == text;
}

// Returns "ports" for `$setElementOrder/ports` and the prefix kSetElementOrder; nullopt if the key
// names no field.
std::optional<std::string_view> field_of(std::string_view key, std::string_view prefix);

// Returns 500 `unknown patch type: VALUE in map: MAP`.
Failure unknown_directive(const json::Value& directive, const json::Value& map);

// Returns 500 `expected a WANTED, but received a string`.
Failure unexpected_type(std::string_view wanted, const json::Value& value);

}  // namespace tabernetes::patch
