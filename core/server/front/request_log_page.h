// The page of the last requests, /-/tabernetes/requests.
#pragma once

#include "server/request/request_context.h"
#include "server/request/request_log.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

// Answers with the entries that fit the options of the request, oldest first: `verb`, `resource`,
// `subresource`, `namespace`, `name`, `user`, `code`, and `limit`, which leaves the last ones.
// Errors: 400 for other options, and for a limit that is not a number.
Response answer_request_log(const RequestLog& log, const ReadContext& reading,
                            const Request& request);

}  // namespace tabernetes::server
