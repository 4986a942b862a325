// Groups of the community (k8s.io, kubernetes.io and below) and the annotation that says who has
// approved of a kind there.
// Source: upstream 1.36 apiextensions-apiserver pkg/apihelpers/helpers.go GetAPIApprovalState,
// pkg/apis/apiextensions/validation/validation.go.
#pragma once

#include <cstdint>
#include <string_view>

#include "rules/field.h"

namespace tabernetes::registry::custom {

inline constexpr std::string_view kApprovalAnnotation = "api-approved.kubernetes.io";

enum class Approval : std::uint8_t { kMissing, kBypassed, kApproved, kInvalid };

bool is_community_group(std::string_view group);

// What the annotation's text says.
Approval approval_of(std::string_view annotation);

// What is wrong with it; `old` is null on create.
void check_approval(const validation::Field& object, const validation::Field* old);

}  // namespace tabernetes::registry::custom
