// A gRPC connection to one etcd server: HTTP/2 over TCP or TLS, any number of calls at a time.
//
// Lives on one thread. Nothing is called after close() or the destructor.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/context.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace tabernetes::host::etcd {

struct Endpoint {
  std::string host, port;
  bool tls = false;

  std::string authority() const { return host + ":" + port; }
};

// How a call ended: 0 is success, the others are gRPC's codes.
struct CallEnd {
  int code = 0;
  std::string message;
};
inline constexpr int kUnavailable = 14;  // the connection was lost: the outcome is unknown

class Channel {
 public:
  using CallId = std::int32_t;
  struct Events {
    std::function<void(std::string message)> message;  // for each message of the server
    std::function<void(CallEnd end)> end;              // once
  };

  // Connects. Calls `ready` once: with an empty text, or with what went wrong. Calls `lost` once,
  // if the connection ends later; all calls have ended by then. `trust` is for TLS.
  static std::shared_ptr<Channel> connect(boost::asio::io_context& context, const Endpoint& to,
                                          boost::asio::ssl::context* trust,
                                          std::function<void(std::string problem)> ready,
                                          std::function<void(std::string problem)> lost);
  virtual ~Channel() = default;

  // Begins a call and sends its first message. `token` is that of an authenticated user, or empty.
  enum class Kind { kUnary, kStream };
  virtual CallId call(std::string_view method, std::string_view message, std::string_view token,
                      Kind kind, Events events) = 0;
  // Ends a call without its events.
  virtual void cancel(CallId call) = 0;
  virtual void close() = 0;
};

}  // namespace tabernetes::host::etcd
