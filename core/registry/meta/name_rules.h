// Which names a resource takes, and through which of upstream's checks its metadata passes.
// Source: spec/lifecycle.md 1.8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/names.h"

namespace tabernetes::registry {

enum class NameFormat : std::uint8_t { kSubdomain, kLabel, kPathSegment };

struct NameRules {
  NameFormat format = NameFormat::kSubdomain;
  std::size_t max_length = 0;  // 0: the format's own
};

// The kind's own checks of metadata, after the generic ones, in their order: C of what a new object
// may say, U of a change, F that finalizers are standard ones or qualified. A fault is listed by
// each check that finds it.
struct MetaPasses {
  std::string_view create = "C", update = "U", update_part = "U";  // of a subresource
};

Faults name_faults(const NameRules& rules, std::string_view name);
// The same for a generateName: one '-' at its end is fine.
Faults name_prefix_faults(const NameRules& rules, std::string_view prefix);

}  // namespace tabernetes::registry
