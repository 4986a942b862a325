// The options of a write as admission shows them: CreateOptions, UpdateOptions, PatchOptions,
// DeleteOptions.
#pragma once

#include "json/value.h"
#include "server/request/request_context.h"

namespace tabernetes::server {

// Returns the options in the query of the request; their kind follows from its method.
json::Value shown_options(const Request& request, const Query& query, json::Arena& arena);

// Returns DeleteOptions out of a body.
json::Value shown_delete_options(const json::Value& body, json::Arena& arena);

}  // namespace tabernetes::server
