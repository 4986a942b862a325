// What rules of faults look at in a request.
#pragma once

#include "server/faults/fault_rules.h"
#include "server/request/request_context.h"

namespace tabernetes::server {

// Its user is the one that a request would have if it were answered; empty if it is refused.
FaultSubject fault_subject(const ReadContext& reading, const Request& request);

// Returns an ERROR event with 410 in the form of the answer, a watch; nothing for a resource that
// is unknown.
Slice gone_event(const ReadContext& reading, const FaultSubject& subject, const Response& answer);

}  // namespace tabernetes::server
