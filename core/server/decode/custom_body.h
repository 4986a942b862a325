// Bodies that are custom objects.
#pragma once

#include "server/decode/raw_body.h"
#include "server/request/call.h"
#include "server/request/options.h"

namespace tabernetes::server {

// Whether objects of the call's path are custom ones: not those of the scale.
bool is_custom_body(const Call& call);

// The object that was read, in the form of its kind. Whether it says another kind is for the
// validation to find. Errors: 400.
Result<json::Value> decode_custom_body(Call& call, FieldValidation validation, RawBody& raw);

}  // namespace tabernetes::server
