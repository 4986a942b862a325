// Community groups (k8s.io, kubernetes.io and their subdomains) and the annotation with the
// approval of a kind. Source: upstream 1.36 apiextensions-apiserver pkg/apihelpers/helpers.go
// GetAPIApprovalState, pkg/apis/apiextensions/validation/validation.go.
#pragma once

#include <cstdint>
#include <string_view>

#include "rules/field.h"

namespace tabernetes::registry::custom {

inline constexpr std::string_view kApprovalAnnotation = "api-approved.kubernetes.io";

enum class ApiApproval : std::uint8_t { kMissing, kBypassed, kApproved, kInvalid };

bool is_community_group(std::string_view group);

// Parses the annotation.
ApiApproval parse_api_approval(std::string_view annotation);

// Checks the annotation; `old` is null on create.
void check_api_approval(const validation::Field& object, const validation::Field* old);

}  // namespace tabernetes::registry::custom
