// One webhook call over HTTPS, from name resolution to the answer.
//
// Lives on one thread. Limits and messages are those of kube-apiserver's client, Go's net/http.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>

#include "tabernetes/http.h"
#include "tls_trust.h"
#include "webhook_target.h"

namespace tabernetes::host {

class WebhookExchange {
 public:
  using OnAnswer = std::function<void(WebhookAnswer)>;

  // Starts the call. Calls `on_answer` once, after this returns, unless abort() comes first.
  static std::shared_ptr<WebhookExchange> start(boost::asio::io_context& context,
                                                std::shared_ptr<boost::asio::ssl::context> trust,
                                                WebhookTarget target, WebhookCall call,
                                                OnAnswer on_answer);

  virtual ~WebhookExchange() = default;

  // Ends the call without an answer.
  virtual void abort() = 0;
};

}  // namespace tabernetes::host
