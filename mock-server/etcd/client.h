// A client of an etcd cluster: one connection to one of its servers, another one when it is lost.
//
// Lives on one thread.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "etcd/channel.h"

namespace tabernetes::host::etcd {

class Client {
 public:
  // REQUIRES: there is an endpoint.
  Client(boost::asio::io_context& context, std::vector<Endpoint> endpoints,
         std::unique_ptr<boost::asio::ssl::context> trust);
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Connects, and goes on doing so whenever the connection is lost, until stop(). Calls `connected`
  // each time it is there and `lost` each time it is not there any more.
  void start(std::function<void()> connected, std::function<void()> lost);
  void stop();

  bool connected() const { return ready_; }
  // Returns why there is no connection, in words that name the server.
  const std::string& problem() const { return problem_; }

  // Calls a method with one answer. `done` gets it, or how the call ended.
  using Done = std::function<void(CallEnd end, std::string answer)>;
  void call(std::string_view method, std::string_view message, Done done);
  // Calls a method with many answers. REQUIRES: connected().
  Channel::CallId stream(std::string_view method, std::string_view message, Channel::Events events);
  void cancel(Channel::CallId call);

  // Goes to another server: this one does not do its work.
  void change_server();

 private:
  void connect();
  void on_lost(const std::string& problem);

  boost::asio::io_context& context_;
  const std::vector<Endpoint> endpoints_;
  const std::unique_ptr<boost::asio::ssl::context> trust_;
  boost::asio::steady_timer pause_;
  std::function<void()> on_connected_, on_lost_;
  std::size_t next_ = 0;    // the endpoint to try
  std::size_t failed_ = 0;  // attempts since the last connection
  std::shared_ptr<Channel> channel_;
  bool ready_ = false, stopped_ = false;
  std::string problem_;
};

}  // namespace tabernetes::host::etcd
