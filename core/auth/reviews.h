// Reviews: questions to the server that look like objects. They are created, answered in their
// status, and not stored. Source: spec/lifecycle.md 7; spec/crd-auth-admission.md 5.4, 6.8;
// upstream 1.36: pkg/registry/{authorization,authentication}.
#pragma once

#include <string_view>

#include "auth/authorizer.h"
#include "auth/token_authenticator.h"
#include "base/result.h"
#include "json/value.h"
#include "registry/resource_type.h"
#include "tabernetes/time.h"

namespace tabernetes::auth {

// What a review is answered from.
struct Reviewing {
  json::Arena& arena;
  Time now;
  const User& user;  // who asks
  const Authorizer& authorizer;
  const TokenAuthenticator& tokens;
};

// True for a resource of reviews.
bool is_review(const registry::ResourceType& type);

// A decoded review takes the namespace of its request, and loses what the server would set.
// Errors: 400 for another namespace.
Result<void> fill_review(const registry::ResourceType& type, std::string_view ns,
                         json::Value& review, json::Arena& arena);

// The review with its answer. Errors: 400 for a question without its subject, 422.
Result<json::Value> answer_review(const Reviewing& context, const registry::ResourceType& type,
                                  const json::Value& review);

}  // namespace tabernetes::auth
