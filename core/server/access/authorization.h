// The authorization attributes of a request. Source: spec/crd-auth-admission.md 6.3; upstream 1.36
// apiserver/pkg/endpoints/request/requestinfo.go.
#pragma once

#include <string>

#include "auth/authorizer.h"
#include "server/http/request_info.h"
#include "server/request/request_context.h"

namespace tabernetes::server {

// `target` is the path as sent, `resource` the resource it names (null for other paths).
struct RequestAttributes {
  RequestAttributes(const RequestContext& call, std::string_view target,
                    const ResourcePath* resource);

  // Returns views of this object and of the call's current user.
  auth::Attributes of(const RequestContext& call) const;

 private:
  const ResourcePath* resource_;
  std::string verb_, path_, ns_, name_, field_selector_, label_selector_;
};

// Returns the attributes of creating what the call addresses, as views of the call.
auth::Attributes creation(const RequestContext& call);

// Checks whether the sender of a PUT or an apply may also create a missing object. Errors: 403.
Result<void> check_may_create(const RequestContext& call);

}  // namespace tabernetes::server
