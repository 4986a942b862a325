// The allowed names of a resource, and the upstream checks that its metadata passes. Source:
// spec/lifecycle.md 1.8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/api/names.h"

namespace tabernetes::registry {

enum class NameFormat : std::uint8_t { kSubdomain, kLabel, kLabel1035, kPathSegment };

struct NameConstraints {
  NameFormat format = NameFormat::kSubdomain;
  std::size_t max_length = 0;  // 0: the limit of the format
  // A feature gate without which names are labels of RFC 1035; empty: none.
  std::string_view relaxed_by = {};
};

// The kind's own checks of metadata after the generic ones, in order: C checks a new object, U an
// update, F that finalizers are standard or qualified. A fault is reported once by each check that
// finds it.
struct MetadataChecks {
  std::string_view create = "C", update = "U", update_subresource = "U";  // update of a subresource
};

Faults name_faults(const NameConstraints& constraints, std::string_view name);
// Does the same for a generateName, which may end in one '-'.
Faults name_prefix_faults(const NameConstraints& constraints, std::string_view prefix);

}  // namespace tabernetes::registry
