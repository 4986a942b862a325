// One HTTP/1.1 connection: reads a request, hands it over, writes the answer, and again.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <memory>
#include <unordered_set>

#include "core_strand.h"
#include "http_server.h"
#include "static_files.h"

namespace tabernetes::host {

class HttpConnection;

// What the connections of a server share.
struct ConnectionContext {
  ConnectionContext(CoreStrand& strand, HttpSettings http_settings)
      : core(strand), settings(std::move(http_settings)), ui(settings.ui) {}

  CoreStrand& core;
  HttpSettings settings;
  StaticFiles ui;
  bool stopping = false;
  std::unordered_set<HttpConnection*> open;
  std::function<void()> when_idle;  // called when the last connection of `open` has gone
};

// Serves `socket` until either side ends it.
void start_connection(boost::asio::ip::tcp::socket socket,
                      std::shared_ptr<ConnectionContext> context);

// Ends a watch with its last chunk and an idle connection at once; lets an answer under way finish.
void shut_down(HttpConnection& connection);

// Closes the connection now.
void abort(HttpConnection& connection);

}  // namespace tabernetes::host
