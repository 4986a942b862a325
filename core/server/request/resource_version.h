// The resourceVersion that a read asks for: its syntax, and whether it is reached.
// Source: spec/list-watch.md 0.2, 1.3, 2, 3.3.
#pragma once

#include <string_view>

#include "base/result.h"
#include "registry/resource_type.h"
#include "server/request/call.h"
#include "store/record.h"

namespace tabernetes::server {

enum class VersionOf { kGet, kList, kWatch };

// 0 for an absent version and for "0". Errors: what the real server says of others, 400 or 500
// depending on the verb and on the kind.
Result<store::Revision> parse_version(const registry::ResourceType& type, VersionOf verb,
                                      std::string_view text);

// The answer for a version that is not reached: 504. Kinds without watch cache say it at once, and
// not when to try again.
Failure not_reached(const registry::ResourceType& type, store::Revision wanted,
                    store::Revision current);

// Errors: 504, at first with Call::awaits where the request should wait.
Result<void> check_reached(Call& call, store::Revision wanted);

}  // namespace tabernetes::server
