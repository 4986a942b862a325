// Where a request meets the limits on requests in flight: after it is known who asks, before it is
// asked whether they may. Source: upstream 1.36
// apiserver/pkg/server/filters/{priority-and-fairness,maxinflight}.go.
#pragma once

#include <string_view>

#include "auth/authorizer.h"
#include "server/request/request_context.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

enum class Passage {
  kPasses,
  kWaits,    // in a queue, or for a view's writer: the call is marked, its answer means nothing
  kRefused,  // answer_too_many()
};

// Classifies the request, and lets it in if it is not in yet.
Passage meet_limits(RequestContext& call, const auth::Attributes& attributes,
                    std::string_view path);

// Returns 429. REQUIRES: the call was refused.
Response answer_too_many(RequestContext& call, const auth::Attributes& attributes);

// Adds the headers that name the flow schema and the priority level of the call, if it has any.
void add_flow_headers(const RequestContext& call, Response& response);

}  // namespace tabernetes::server
