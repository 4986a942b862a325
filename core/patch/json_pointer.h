// Internal to patch: JSON pointers as evanphx/json-patch reads them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace tabernetes::patch {

// Where an operation takes place: a container and the last token of the pointer, unescaped.
struct Place {
  json::Value container;
  std::string token;
};

// Follows `pointer` from `root` up to its last token. What stands before the first slash is
// dropped; a pointer without a slash leads nowhere, as does one through a missing or null member,
// a scalar or an index out of range. Objects that are passed are added to `touched`.
std::optional<Place> resolve_place(const json::Value& root, std::string_view pointer,
                                   std::vector<json::Value>& touched);

// The item of an array of `size` that `token` names: a decimal number with any sign, negative ones
// counted from the end. Nothing if it is no number or out of range.
std::optional<std::uint32_t> resolve_index(std::string_view token, std::uint32_t size);

}  // namespace tabernetes::patch
