// Reviews: objects that ask the server a question. They are created, answered in their status, and
// not stored. Source: spec/lifecycle.md 7; spec/crd-auth-admission.md 5.4, 6.8; upstream 1.36:
// pkg/registry/{authorization,authentication}.
#pragma once

#include <functional>
#include <string_view>

#include "auth/authorizer.h"
#include "auth/token_authenticator.h"
#include "base/api/result.h"
#include "json/value.h"
#include "registry/kind/resource_type.h"
#include "tabernetes/time.h"

namespace tabernetes::auth {

// The context for answering a review.
struct Reviewing {
  json::Arena& arena;
  Time now;
  const User& user;  // the requesting user
  const Authorizer& authorizer;
  const TokenAuthenticator& tokens;
  // Called between the validation of the review and its answer. Empty: nothing is asked.
  std::function<Result<void>()> admit = {};

  Result<void> admitted() const { return admit ? admit() : Result<void>(); }
};

// Returns whether the resource is a review.
bool is_review(const registry::ResourceType& type);

// Sets the namespace of a decoded review from its request, and clears fields that the server sets.
// Errors: 400 for a different namespace.
Result<void> fill_review(const registry::ResourceType& type, std::string_view ns,
                         json::Value& review, json::Arena& arena);

// Returns the review with its answer. Errors: 400 if it lacks its subject, 422.
Result<json::Value> answer_review(const Reviewing& context, const registry::ResourceType& type,
                                  const json::Value& review);

}  // namespace tabernetes::auth
