#include "http_server.h"

#include <sys/socket.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <set>
#include <string>
#include <utility>

#include "http_connection.h"

namespace tabernetes::host {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using boost::system::error_code;

struct HttpServer::Impl : std::enable_shared_from_this<HttpServer::Impl> {
  Impl(IoThreads& io_threads, CoreStrand& core, HttpSettings settings)
      : threads(io_threads),
        site(std::make_shared<HttpSite>(std::move(settings))),
        retry(io_threads[0].context()) {
    for (std::size_t i = 0; i < threads.size(); ++i) {
      contexts.push_back(std::make_shared<ConnectionContext>(core, threads[i], site));
    }
  }

  void accept(std::size_t index) {
    if (!places->any_free()) return wait_for_place(index);
    const std::shared_ptr<ConnectionContext> context = contexts[next_thread++ % contexts.size()];
    acceptors[index].async_accept(
        context->thread.context(),
        [self = shared_from_this(), index, context](error_code error, tcp::socket socket) {
          if (self->stopping) return;
          if (error) return self->accept_later(index, error);
          self->failing.erase(index);
          ++self->site->settings.counts->accepted;
          context->thread.run(
              [context, socket = std::move(socket), place = self->places->take()]() mutable {
                start_connection(std::move(socket), std::move(place), context);
              });
          self->accept(index);
        });
  }

  // Called after accept() fails, most likely for lack of file descriptors; tries again once others
  // may have closed.
  void accept_later(std::size_t index, error_code error) {
    ++site->settings.counts->failed_accepts;
    if (failing.insert(index).second) {
      site->settings.log.warn("cannot accept a connection: " + error.message());
    }
    retry.expires_after(std::chrono::milliseconds(100));
    retry.async_wait([self = shared_from_this(), index](error_code) {
      if (!self->stopping) self->accept(index);
    });
  }

  // Clients wait in the system's queue until one of the others leaves.
  void wait_for_place(std::size_t index) {
    waiting.push_back(index);
    if (std::exchange(told_full, true)) return;
    site->settings.log.warn("there are " + std::to_string(site->settings.limits.connections) +
                            " connections; more wait until one ends (see --max-connections)");
  }

  void accept_waiting() {
    if (stopping) return;
    for (const std::size_t index : std::exchange(waiting, {})) accept(index);
  }

  // Calls `work` with each context, on the context's thread.
  template <class Work>
  void on_each_thread(Work work) {
    for (const auto& context : contexts) {
      context->thread.run([context, work] { work(*context); });
    }
  }

  IoThreads& threads;
  std::shared_ptr<HttpSite> site;
  std::vector<std::shared_ptr<ConnectionContext>> contexts;  // by thread
  // Used on thread 0 only.
  std::vector<tcp::acceptor> acceptors;
  std::size_t next_thread = 0;
  std::shared_ptr<ConnectionPlaces> places;
  std::vector<std::size_t> waiting;  // acceptors, for a place
  bool told_full = false;
  std::set<std::size_t> failing;  // acceptors whose last attempt failed
  asio::steady_timer retry;
  bool stopping = false;
};

HttpServer::HttpServer(IoThreads& threads, CoreStrand& core, HttpSettings settings)
    : impl_(std::make_shared<Impl>(threads, core, std::move(settings))) {
  const HttpSettings& used = impl_->site->settings;
  impl_->places = std::make_shared<ConnectionPlaces>(
      used.counts, used.limits.connections, [weak = std::weak_ptr<Impl>(impl_)] {
        const auto impl = weak.lock();
        if (!impl) return;
        impl->threads[0].run([impl] { impl->accept_waiting(); });
      });
}

HttpServer::~HttpServer() = default;

std::string HttpServer::serve(int listener) {
  sockaddr_storage name{};
  socklen_t size = sizeof name;
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&name), &size);
  tcp::acceptor acceptor(impl_->threads[0].context());
  error_code error;
  // A Unix socket is served as one of TCP: what both can do is all that is asked of it.
  acceptor.assign(name.ss_family == AF_INET6 ? tcp::v6() : tcp::v4(), listener, error);
  if (!error) acceptor.listen(4096, error);
  if (error) return error.message();
  impl_->acceptors.push_back(std::move(acceptor));
  impl_->accept(impl_->acceptors.size() - 1);
  return {};
}

void HttpServer::use_tls(std::shared_ptr<TlsServer> tls) { impl_->site->use_tls(std::move(tls)); }

void HttpServer::shut_down() {
  impl_->stopping = true;
  error_code ignored;
  for (tcp::acceptor& acceptor : impl_->acceptors) acceptor.close(ignored);
  impl_->retry.cancel();
  impl_->on_each_thread([](ConnectionContext& context) {
    context.stopping = true;
    const auto open = context.open;  // a copy, as ending a connection may remove it from the set
    for (Connection* connection : open) connection->shut_down();
  });
}

void HttpServer::when_idle(std::function<void()> idle) {
  auto busy = std::make_shared<std::size_t>(impl_->threads.size());  // used on thread 0 only
  const auto one_idle = [&first = impl_->threads[0], busy, idle = std::move(idle)] {
    first.run([busy, idle] {
      if (--*busy == 0) idle();
    });
  };
  impl_->on_each_thread([one_idle](ConnectionContext& context) {
    if (context.open.empty()) return one_idle();
    context.when_idle = one_idle;
  });
}

void HttpServer::abort() {
  impl_->on_each_thread([](ConnectionContext& context) {
    context.when_idle = nullptr;
    const auto open = context.open;
    for (Connection* connection : open) connection->close();
  });
}

}  // namespace tabernetes::host
