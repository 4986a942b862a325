// Connecting to a server with TLS: its name is looked up, the connection opened, its certificate
// judged.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <string>

#include "webhook_target.h"

namespace tabernetes::host {

// One connection, on one thread.
class TlsDial {
 public:
  using Stream = boost::asio::ssl::stream<boost::asio::ip::tcp::socket>;
  // `fault`: in Go's words; empty if the connection is ready. What it is told after close() means
  // nothing.
  using Done = std::function<void(const std::string& fault)>;
  enum class Certificates { kJudged, kAny };

  TlsDial(boost::asio::io_context& context, std::shared_ptr<boost::asio::ssl::context> trust)
      : trust_(std::move(trust)), resolver_(context), stream_(context, *trust_), limit_(context) {}

  // REQUIRES: `target` outlives this object, which `done` keeps alive.
  void begin(const WebhookTarget& target, Certificates certificates, Done done);
  void close();

  Stream& stream() { return stream_; }
  // Returns the two ends of the connection, as Go's errors name them.
  const std::string& ends() const { return ends_; }

 private:
  using Results = boost::asio::ip::tcp::resolver::results_type;

  void connect(const Results& found, const std::shared_ptr<const Done>& done);
  void shake_hands(const std::shared_ptr<const Done>& done);

  const std::shared_ptr<boost::asio::ssl::context> trust_;
  const WebhookTarget* target_ = nullptr;
  Certificates certificates_ = Certificates::kJudged;
  boost::asio::ip::tcp::resolver resolver_;
  Stream stream_;
  boost::asio::steady_timer limit_;  // of the handshake
  std::string ends_;
  std::string refused_;  // the reason if the server's certificate was refused
};

}  // namespace tabernetes::host
