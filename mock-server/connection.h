// A connection with a client, whatever it speaks. Lives on one thread.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>
#include <utility>

#include "connection_limits.h"
#include "core_port.h"
#include "http_server.h"
#include "static_files.h"
#include "tls_server.h"

namespace tabernetes::host {

class Connection {
 public:
  virtual ~Connection() = default;

  // Closes the connection after the answers under way. Ends watches with their last bytes, and an
  // idle connection at once.
  virtual void shut_down() = 0;

  // Closes the connection now.
  virtual void close() = 0;

 protected:
  Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
};

// State shared by all connections of a server; constant during their life, except certificates.
class HttpSite {
 public:
  explicit HttpSite(HttpSettings http_settings)
      : settings(std::move(http_settings)),
        ui(settings.ui, settings.page_host),
        tls_(settings.tls) {}

  // Returns what new connections use; null if they are plain. Any thread may call.
  std::shared_ptr<TlsServer> tls() const {
    const std::lock_guard lock(tls_mutex_);
    return tls_;
  }
  // Any thread may call.
  void use_tls(std::shared_ptr<TlsServer> tls) {
    const std::lock_guard lock(tls_mutex_);
    tls_ = std::move(tls);
  }

  const HttpSettings settings;
  const StaticFiles ui;

 private:
  mutable std::mutex tls_mutex_;  // guards the pointer
  std::shared_ptr<TlsServer> tls_;
};

// State shared by the connections of one thread, and used on that thread only.
struct ConnectionContext {
  ConnectionContext(CoreStrand& strand, IoThread& io_thread, std::shared_ptr<const HttpSite> shared)
      : thread(io_thread),
        core(strand, io_thread, shared->settings.openapi_texts.get()),
        site(std::move(shared)) {}

  // Adds and removes an open connection.
  void add(Connection& connection) { open.insert(&connection); }
  void remove(Connection& connection) {
    open.erase(&connection);
    if (!open.empty()) return;
    if (const auto idle = std::exchange(when_idle, nullptr)) idle();
  }

  IoThread& thread;
  CorePort core;
  std::shared_ptr<const HttpSite> site;
  bool stopping = false;
  std::unordered_set<Connection*> open;
  std::function<void()> when_idle;  // called when `open` becomes empty
};

}  // namespace tabernetes::host
