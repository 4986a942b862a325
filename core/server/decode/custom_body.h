// Bodies that are custom objects.
#pragma once

#include "server/decode/raw_body.h"
#include "server/request/options.h"
#include "server/request/request_context.h"

namespace tabernetes::server {

// Returns whether the call's objects are custom objects; a Scale is not.
bool is_custom_body(const RequestContext& call);

// Decodes the parsed object as its custom kind; validation checks whether it names another kind.
// Errors: 400.
Result<json::Value> decode_custom_body(RequestContext& call, FieldValidation validation,
                                       RawBody& raw);

}  // namespace tabernetes::server
