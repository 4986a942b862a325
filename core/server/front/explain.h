// GET and POST /-/tabernetes/explain: why a request would be answered as it is.
#pragma once

#include <memory>

#include "server/audit/audit_trail.h"
#include "server/request/request_context.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

// Answers GET: who may do something, by the query `user`, `group` (many), and `verb`, `resource`
// (PLURAL[.GROUP][/SUBRESOURCE]), `namespace`, `name`, or `path` instead of a resource. Without a
// user, the anonymous one asks. The answer is that of explain_access(). Errors: 400.
Response explain_access_of(const ReadContext& reading, const Request& request);

// Returns the request that the body of a POST describes: {"method","path","user","groups","uid",
// "contentType","body"}; a write becomes a dry run. Errors: 400, also for what is no API request
// that can be tried: a connection to a container, a watch.
Result<Request> request_to_explain(const Request& asking);

// Returns a trail that has a request explained and is logged nowhere; `stopwatch` may be empty.
std::shared_ptr<AuditTrail> explaining_trail(const Request& request, Time now,
                                             std::shared_ptr<AuditIds> ids,
                                             const Stopwatch& stopwatch);

// Answers POST, once the request has its answer: {"access","admission","annotations","answer",
// "microseconds"}.
Response answer_explained(AuditTrail& trail, const Response& answer);

}  // namespace tabernetes::server
