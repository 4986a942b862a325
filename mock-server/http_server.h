// HTTP/1.1 for the core: accepts connections and serves the requests of each in order.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core_strand.h"
#include "host_check.h"
#include "listen_address.h"
#include "log.h"
#include "openapi_texts_file.h"
#include "static_files.h"

namespace tabernetes::host {

struct HttpSettings {
  HostPolicy hosts;
  std::vector<std::string> cors_origins;  // as in Options
  std::filesystem::path ui;               // empty: no playground
  PageHost page_host;
  Log log;
  std::shared_ptr<OpenApiTextsFile> openapi_texts;  // of the core; null: it has none
};

class HttpServer {
 public:
  // Accepts on thread 0 and gives each connection to one of the threads, which it stays on. Both
  // outlive the server.
  HttpServer(IoThreads& threads, CoreStrand& core, HttpSettings settings);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // On thread 0, or before the threads run:

  // Serves on what `listener` (a bound socket, see bind_listener) accepts from now on. Returns what
  // went wrong, or an empty string.
  std::string serve(int listener);

  // Accepts no more, ends watches and idle connections, lets answers under way finish.
  void shut_down();

  // Calls `idle` once, as soon as no connection is left. To be used after shut_down().
  void when_idle(std::function<void()> idle);

  // Ends all connections, soon, and calls no one.
  void abort();

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace tabernetes::host
