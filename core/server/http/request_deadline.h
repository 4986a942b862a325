// How long a request may take. Source: spec/rest.md 1.10.
#pragma once

#include <optional>

#include "base/result.h"
#include "server/http/query.h"
#include "server/http/request_info.h"
#include "tabernetes/http.h"
#include "tabernetes/time.h"

namespace tabernetes::server {

// Watches, and what a proxy or a terminal is behind. `path` is null for requests to no resource.
bool is_long_running(const Request& request, const Query& query, const ResourcePath* path);

// What `?timeout=` asks for, within what the server grants. Errors: 400.
Result<Duration> request_deadline(const Query& query);

// The answer to a request that took longer.
Response answer_out_of_time();

}  // namespace tabernetes::server
