// HTTP for the core: accepts connections and serves the requests of each.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "connection_limits.h"
#include "core_strand.h"
#include "host_check.h"
#include "listen_address.h"
#include "log.h"
#include "openapi_texts_file.h"
#include "static_files.h"

namespace tabernetes::host {

class TlsServer;

struct HttpSettings {
  HostPolicy hosts;
  std::vector<std::string> cors_origins;  // as in Options
  std::filesystem::path ui;               // empty if there is no playground
  PageHost page_host;
  Log log;
  std::shared_ptr<TlsServer> tls;                   // at first; null: connections are plain
  std::shared_ptr<OpenApiTextsFile> openapi_texts;  // of the core; null if it has none
  ConnectionLimits limits;
  std::shared_ptr<ConnectionCounts> counts = std::make_shared<ConnectionCounts>();
};

class HttpServer {
 public:
  // Accepts on thread 0 and gives each connection to one of the threads for good. `threads` and
  // `core` outlive the server.
  HttpServer(IoThreads& threads, CoreStrand& core, HttpSettings settings);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // Callable on thread 0, or before the threads run:

  // Accepts connections from `listener` (a bound socket, see bind_listener). Returns an error,
  // empty for success.
  std::string serve(int listener);

  // Uses other certificates for connections that come from now on. REQUIRES: the settings have
  // some.
  void use_tls(std::shared_ptr<TlsServer> tls);

  // Stops accepting, ends watches and idle connections, and lets answers under way finish.
  void shut_down();

  // Calls `idle` once, when no connection is left. REQUIRES: shut_down() was called.
  void when_idle(std::function<void()> idle);

  // Closes all connections soon, without any callback.
  void abort();

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace tabernetes::host
