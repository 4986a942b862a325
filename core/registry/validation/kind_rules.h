// The rules of each kind, in files by subject; validation/rules.h has their language.
// Source: upstream 1.36 pkg/apis/*/validation/validation.go; the answers of a real server to
// manifests that were spoilt field by field (tests/conformance/cases/invalid-*.json).
#pragma once

#include <string_view>

#include "base/group_version.h"
#include "registry/validation/rules.h"

namespace tabernetes::registry::validation {

struct KindRules {
  std::string_view group, kind;
  std::string_view rules;
};

// Reports what the rules of its kind find wrong with an object. `old` is null on create.
void check_kind(const GroupResource& group_kind, Write write, const Field& object,
                const json::Value* old);

// By subject. A list ends with an empty row.
extern const KindRules kCoreRules[];
extern const KindRules kNetworkRules[];
extern const KindRules kStorageRules[];
extern const KindRules kAccessRules[];
extern const KindRules kScalingRules[];
extern const KindRules kWorkloadRules[];
extern const KindRules kAdmissionRules[];
extern const KindRules kDeviceRules[];

}  // namespace tabernetes::registry::validation
