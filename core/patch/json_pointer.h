// Internal to patch: JSON pointers with evanphx/json-patch's rules.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace tabernetes::patch {

// The target of an operation: a container and the pointer's last token, unescaped.
struct Place {
  json::Value container;
  std::string token;
};

// Follows `pointer` from `root` up to its last token. Text before the first slash is ignored.
// Returns nullopt for a pointer without a slash, or through a missing or null member, a scalar or
// an index out of range. Adds the objects on the path to `touched`.
std::optional<Place> resolve_place(const json::Value& root, std::string_view pointer,
                                   std::vector<json::Value>& touched);

// Resolves `token` as an index into an array of `size`: a decimal number with any sign, negative
// ones counting from the end. Returns nullopt if it is not a number or out of range.
std::optional<std::uint32_t> resolve_index(std::string_view token, std::uint32_t size);

}  // namespace tabernetes::patch
