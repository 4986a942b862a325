// What a review of access asks: its spec, checked and read. Source: upstream 1.36:
// pkg/apis/authorization/validation, pkg/registry/authorization/util.
#pragma once

#include <string>
#include <string_view>

#include "auth/authorizer.h"
#include "base/field_error.h"
#include "json/value.h"

namespace tabernetes::auth {

enum class AccessReview {
  kSubject,  // SubjectAccessReview
  kSelf,     // SelfSubjectAccessReview: the subject is who asks
  kLocal,    // LocalSubjectAccessReview: in one namespace
};

// Everything that is wrong with a decoded review.
field::ErrorList validate_access_review(AccessReview kind, const json::Value& review);

// The subject that a spec names.
User subject_of(const json::Value& spec);

// What `user` would do by a valid spec. Views of the spec.
Attributes attributes_of(const User& user, const json::Value& spec);

// What of a valid spec's selectors is not understood, and so ignored; empty: nothing.
std::string ignored_selectors(const json::Value& spec);

}  // namespace tabernetes::auth
