// One request to an aggregated API server over HTTPS, from name resolution to the end of its
// answer.
//
// Lives on one thread. Messages are those of kube-apiserver's client, Go's net/http.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/context.hpp>
#include <functional>
#include <memory>
#include <string>

#include "tabernetes/proxy.h"
#include "webhook_target.h"

namespace tabernetes::host {

// What is told of an exchange, after start() returns: an answer once, and if it has `more`, how its
// body goes on.
struct ProxyListener {
  std::function<void(ProxyAnswer)> on_answer;
  std::function<void(std::string bytes, ProxiedBody state)> on_body;
};

class ProxyExchange {
 public:
  static std::shared_ptr<ProxyExchange> start(boost::asio::io_context& context,
                                              std::shared_ptr<boost::asio::ssl::context> trust,
                                              WebhookTarget target, ProxyCall call,
                                              ProxyListener listener);

  virtual ~ProxyExchange() = default;

  // Sends bytes after the server has switched protocols, which the listener was told as an answer
  // with status 101.
  virtual void send(std::string bytes) = 0;

  // Ends it; the listener hears no more.
  virtual void abort() = 0;
};

}  // namespace tabernetes::host
