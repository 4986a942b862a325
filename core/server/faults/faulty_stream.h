// Answers to which something is done.
#pragma once

#include "server/faults/fault_rules.h"
#include "tabernetes/buffer.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

// Does to the body of a watch what `fault` says. `gone`: the ERROR event with 410, framed.
void spoil_watch(const WatchFault& fault, Slice gone, Response& response);

// Does to a body what `fault` says.
void spoil_body(const BodyFault& fault, Response& response);

}  // namespace tabernetes::server
