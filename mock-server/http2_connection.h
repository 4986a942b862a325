// One HTTP/2 connection: any number of requests at a time. nghttp2 does the framing, HPACK and flow
// control.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "connection.h"
#include "tabernetes/http.h"
#include "wire.h"

namespace tabernetes::host {

// Serves `wire` until either side closes it. `received` is what the client has sent so far,
// `remote` its address with the port. Call this on the context's thread.
void start_http2(std::unique_ptr<Wire> wire, std::string_view received, Peer peer,
                 std::string remote, std::shared_ptr<ConnectionContext> context);

}  // namespace tabernetes::host
