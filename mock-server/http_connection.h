// One HTTP/1.1 connection: reads a request, hands it over, writes the answer, and repeats. A client
// that turns out to speak HTTP/2 is passed on to an Http2Connection.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <memory>

#include "connection.h"

namespace tabernetes::host {

// Serves `socket` until either side closes it, over TLS if the settings say so, and keeps `place`
// for that time. Call this on the context's thread.
void start_connection(boost::asio::ip::tcp::socket socket, std::shared_ptr<void> place,
                      std::shared_ptr<ConnectionContext> context);

}  // namespace tabernetes::host
