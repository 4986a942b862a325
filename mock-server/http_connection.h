// One HTTP/1.1 connection: reads a request, hands it over, writes the answer, and again.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <memory>
#include <unordered_set>

#include "core_port.h"
#include "http_server.h"
#include "static_files.h"

namespace tabernetes::host {

class HttpConnection;

// What all connections of a server share. Does not change while they live.
struct HttpSite {
  explicit HttpSite(HttpSettings http_settings)
      : settings(std::move(http_settings)), ui(settings.ui, settings.page_host) {}

  const HttpSettings settings;
  const StaticFiles ui;
};

// What the connections of one thread share; touched by that thread only.
struct ConnectionContext {
  ConnectionContext(CoreStrand& strand, IoThread& io_thread, std::shared_ptr<const HttpSite> shared)
      : thread(io_thread),
        core(strand, io_thread, shared->settings.openapi_texts.get()),
        site(std::move(shared)) {}

  IoThread& thread;
  CorePort core;
  std::shared_ptr<const HttpSite> site;
  bool stopping = false;
  std::unordered_set<HttpConnection*> open;
  std::function<void()> when_idle;  // called when the last connection of `open` has gone
};

// Serves `socket` until either side ends it. On the context's thread, as all that follows.
void start_connection(boost::asio::ip::tcp::socket socket,
                      std::shared_ptr<ConnectionContext> context);

// Ends a watch with its last chunk and an idle connection at once; lets an answer under way finish.
void shut_down(HttpConnection& connection);

// Closes the connection now.
void abort(HttpConnection& connection);

}  // namespace tabernetes::host
