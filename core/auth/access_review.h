// Validates and reads the spec of an access review. Source: upstream 1.36:
// pkg/apis/authorization/validation, pkg/registry/authorization/util.
#pragma once

#include <string>
#include <string_view>

#include "auth/authorizer.h"
#include "base/api/field_error.h"
#include "json/value.h"

namespace tabernetes::auth {

enum class AccessReview {
  kSubject,  // SubjectAccessReview
  kSelf,     // SelfSubjectAccessReview: the subject is the requesting user
  kLocal,    // LocalSubjectAccessReview: in one namespace
};

// Returns all errors in a decoded review.
field::ErrorList validate_access_review(AccessReview kind, const json::Value& review);

// Returns the subject named by a spec.
User subject_of(const json::Value& spec);

// Returns the attributes of the reviewed action. REQUIRES: a valid spec. Views of the spec.
Attributes attributes_of(const User& user, const json::Value& spec);

// Returns which of a valid spec's selectors are not supported and so ignored, or an empty text.
std::string ignored_selectors(const json::Value& spec);

}  // namespace tabernetes::auth
