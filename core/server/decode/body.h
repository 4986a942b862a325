// Request bodies: from bytes to a decoded object of the expected kind.
// Source: spec/rest.md 4.5, 5.7, 5.11, 5.14, 6.2.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "server/request/call.h"
#include "server/request/options.h"

namespace tabernetes::server {

// Errors: 413.
Result<void> check_body_size(const Request& request);

// The body as an object of the call's kind (of `kind`, a subresource's, when that differs). Strict
// errors are an error or warnings. Errors: 400, 415.
Result<json::Value> decode_body(Call& call, FieldValidation validation);

// The body as DeleteOptions. REQUIRES: a body. Errors: 400, 415.
Result<json::Value> decode_delete_options(Call& call);

// "strict decoding error: A, B"
std::string strict_decoding_error(const std::vector<std::string>& strict_errors);

// Warns of, or refuses, what strict decoding found. Errors: 400 with `refusal` before the errors.
Result<void> judge_strict_errors(Call& call, FieldValidation validation,
                                 const std::vector<std::string>& strict_errors,
                                 std::string_view refusal);

}  // namespace tabernetes::server
