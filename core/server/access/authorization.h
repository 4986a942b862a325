// What a request wants to do, as the authorizer is asked for it. Source:
// spec/crd-auth-admission.md 6.3; upstream 1.36 apiserver/pkg/endpoints/request/requestinfo.go.
#pragma once

#include <string>

#include "auth/authorizer.h"
#include "server/http/request_info.h"
#include "server/request/call.h"

namespace tabernetes::server {

// `target` is the path as sent, `resource` what it names (null: no resource).
struct RequestAttributes {
  RequestAttributes(const Call& call, std::string_view target, const ResourcePath* resource);

  // Views of this, and of the user who now asks.
  auth::Attributes of(const Call& call) const;

 private:
  const ResourcePath* resource_;
  std::string verb_, path_, ns_, name_;
};

// To create what the call addresses. Views of the call.
auth::Attributes creation(const Call& call);

// Whether who sends a PUT or an apply may also create what is not there. Errors: 403.
Result<void> check_may_create(const Call& call);

}  // namespace tabernetes::server
