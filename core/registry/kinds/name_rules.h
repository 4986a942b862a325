// Which names a resource takes, and which of upstream's checks its metadata passes through.
// Source: spec/lifecycle.md 1.8; a new kind is a new row in the .cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "registry/names.h"

namespace tabernetes::registry {

enum class NameFormat : std::uint8_t { kSubdomain, kLabel, kPathSegment };

// Upstream checks metadata in the generic code, and most kinds check it in their own code too.
enum class MetaCheck : std::uint8_t {
  kKubernetes,   // own check, which also wants finalizers to be standard or qualified
  kLibrary,      // own check with the library's rules alone
  kGenericOnly,  // no own check
};

struct NameRules {
  NameFormat format = NameFormat::kSubdomain;
  std::size_t max_length = 0;  // 0: the format's own
  MetaCheck check = MetaCheck::kKubernetes;
};

// Rules that depend on more than the name (CRD, APIService, IPAddress, ClusterTrustBundle) belong
// to the kind's validation; here those kinds have the loosest format.
NameRules name_rules(std::string_view group, std::string_view plural);

Faults name_faults(const NameRules& rules, std::string_view name);
// The same for a generateName: one '-' at its end is fine.
Faults name_prefix_faults(const NameRules& rules, std::string_view prefix);

}  // namespace tabernetes::registry
