// The requested resourceVersion of a read: its syntax, and whether it has been reached. Source:
// spec/list-watch.md 0.2, 1.3, 2, 3.3.
#pragma once

#include <string_view>

#include "base/api/result.h"
#include "registry/kind/resource_type.h"
#include "server/request/request_context.h"
#include "store/record.h"

namespace tabernetes::server {

enum class VersionCheck { kGet, kList, kWatch };

// Returns 0 for an absent version and for "0". Errors: the real server's for invalid ones, 400 or
// 500 depending on the verb and the kind.
Result<store::Revision> parse_version(const registry::ResourceType& type, VersionCheck verb,
                                      std::string_view text);

// Returns the error for a version not reached yet: 504. Kinds without watch cache fail at once,
// without Retry-After.
Failure not_reached(const registry::ResourceType& type, store::Revision wanted,
                    store::Revision current);

// Errors: 504; sets RequestContext::waits_for_revision first if the request should wait.
Result<void> check_reached(RequestContext& call, store::Revision wanted);

}  // namespace tabernetes::server
