#include "http_server.h"

#include <sys/socket.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdio>
#include <utility>

#include "http_connection.h"

namespace tabernetes::host {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using boost::system::error_code;

struct HttpServer::Impl : std::enable_shared_from_this<HttpServer::Impl> {
  Impl(asio::io_context& io, CoreStrand& core, HttpSettings settings)
      : io_context(io),
        shared(std::make_shared<ConnectionContext>(core, std::move(settings))),
        retry(io) {}

  void accept(std::size_t index) {
    acceptors[index].async_accept(
        [self = shared_from_this(), index](error_code error, tcp::socket socket) {
          if (self->shared->stopping) return;
          if (!error) {
            start_connection(std::move(socket), self->shared);
            return self->accept(index);
          }
          // Out of files, most likely: others will end.
          if (self->shared->settings.log >= LogLevel::kWarn) {
            std::fprintf(stderr, "tabernetes: cannot accept a connection: %s\n",
                         error.message().c_str());
          }
          self->retry.expires_after(std::chrono::milliseconds(100));
          self->retry.async_wait([self, index](error_code) {
            if (!self->shared->stopping) self->accept(index);
          });
        });
  }

  asio::io_context& io_context;
  std::shared_ptr<ConnectionContext> shared;
  std::vector<tcp::acceptor> acceptors;
  asio::steady_timer retry;
  bool failing = false;  // the last attempt to accept did
};

HttpServer::HttpServer(asio::io_context& context, CoreStrand& core, HttpSettings settings)
    : impl_(std::make_shared<Impl>(context, core, std::move(settings))) {}

HttpServer::~HttpServer() = default;

std::string HttpServer::serve(int listener) {
  sockaddr_storage name{};
  socklen_t size = sizeof name;
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&name), &size);
  tcp::acceptor acceptor(impl_->io_context);
  error_code error;
  acceptor.assign(name.ss_family == AF_INET6 ? tcp::v6() : tcp::v4(), listener, error);
  if (!error) acceptor.listen(4096, error);
  if (error) return error.message();
  impl_->acceptors.push_back(std::move(acceptor));
  impl_->accept(impl_->acceptors.size() - 1);
  return {};
}

void HttpServer::shut_down() {
  impl_->shared->stopping = true;
  error_code ignored;
  for (tcp::acceptor& acceptor : impl_->acceptors) acceptor.close(ignored);
  impl_->retry.cancel();
  const auto open = impl_->shared->open;  // ending one may take it out of the set
  for (HttpConnection* connection : open) host::shut_down(*connection);
}

void HttpServer::when_idle(std::function<void()> idle) {
  if (impl_->shared->open.empty()) return idle();
  impl_->shared->when_idle = std::move(idle);
}

void HttpServer::abort() {
  impl_->shared->when_idle = nullptr;
  const auto open = impl_->shared->open;
  for (HttpConnection* connection : open) host::abort(*connection);
}

}  // namespace tabernetes::host
