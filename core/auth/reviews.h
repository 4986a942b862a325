// Reviews: questions to the server that look like objects. They are created, answered in their
// status, and not stored. Source: spec/lifecycle.md 7; spec/crd-auth-admission.md 5.4, 6.8;
// upstream 1.36: pkg/registry/{authorization,authentication}.
#pragma once

#include <string_view>

#include "auth/authorizer.h"
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
};

// True for a resource of reviews.
bool is_review(const registry::ResourceType& type);

// The decoded `review` with its answer. `ns` is the request's. Errors: 400 for another namespace or
// a question without its subject, 422.
Result<json::Value> answer_review(const Reviewing& context, const registry::ResourceType& type,
                                  std::string_view ns, json::Value review);

}  // namespace tabernetes::auth
