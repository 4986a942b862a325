// Request bodies: decodes bytes to an object of the expected kind. Source: spec/rest.md 4.5, 5.7,
// 5.11, 5.14, 6.2.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "server/request/options.h"
#include "server/request/request_context.h"

namespace tabernetes::server {

// Errors: 413.
Result<void> check_body_size(const Request& request);

// Decodes the body as the call's kind, or its subresource's. Strict errors are an error or
// warnings. Errors: 400, 415.
Result<json::Value> decode_body(RequestContext& call, FieldValidation validation);

// Decodes the body as DeleteOptions. REQUIRES: a body. Errors: 400, 415.
Result<json::Value> decode_delete_options(RequestContext& call);

// Returns "strict decoding error: A, B".
std::string strict_decoding_error(const std::vector<std::string>& strict_errors);

// Turns strict errors into warnings or an error. Errors: 400 with `refusal` before the strict
// errors.
Result<void> judge_strict_errors(RequestContext& call, FieldValidation validation,
                                 const std::vector<std::string>& strict_errors,
                                 std::string_view refusal);

}  // namespace tabernetes::server
