// Objects of core/v1 that a verb needs beside the one that it is about.
#pragma once

#include <string_view>

#include "base/result.h"
#include "json/value.h"
#include "server/request/call.h"

namespace tabernetes::server {

// Returns the object `name` of the resource `plural` of core/v1; `ns` is empty for one of the whole
// cluster. It lives as long as the call. Errors: 404.
Result<json::Value> read_core_object(Call& call, std::string_view plural, std::string_view ns,
                                     std::string_view name);

}  // namespace tabernetes::server
