// One HTTP/1.1 connection: reads a request, hands it over, writes the answer, and repeats.
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

// State shared by all connections of a server; constant during their life.
struct HttpSite {
  explicit HttpSite(HttpSettings http_settings)
      : settings(std::move(http_settings)), ui(settings.ui, settings.page_host) {}

  const HttpSettings settings;
  const StaticFiles ui;
};

// State shared by the connections of one thread, and used on that thread only.
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
  std::function<void()> when_idle;  // called when `open` becomes empty
};

// Serves `socket` until either side closes it. Call this and the functions below on the context's
// thread.
void start_connection(boost::asio::ip::tcp::socket socket,
                      std::shared_ptr<ConnectionContext> context);

// Closes the connection after the answer under way. Ends a watch with its last chunk, and an idle
// connection at once.
void shut_down(HttpConnection& connection);

// Closes the connection now.
void abort(HttpConnection& connection);

}  // namespace tabernetes::host
