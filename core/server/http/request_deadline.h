// Deadlines of requests. Source: spec/rest.md 1.10.
#pragma once

#include <optional>

#include "base/api/result.h"
#include "server/http/query.h"
#include "server/http/request_info.h"
#include "tabernetes/http.h"
#include "tabernetes/time.h"

namespace tabernetes::server {

// Returns true for watches, and for proxies and terminals. `path` is null for non-resource
// requests.
bool is_long_running(const Request& request, const Query& query, const ResourcePath* path);

// Returns the duration requested with `?timeout=`, or `most`; at most that. Errors: 400.
Result<Duration> request_deadline(const Query& query, Duration most);

// Returns the answer to a request that exceeded its deadline.
Response answer_out_of_time();

}  // namespace tabernetes::server
