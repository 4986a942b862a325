// The one writer's strand: the only place that calls into the core.
//
// ApiServer and its Streams want one caller at a time. Everything that touches them runs on this
// strand's executor; the rest of the host runs where its connections live. Today one thread serves
// both, and dispatch() to the strand is a plain call.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <optional>
#include <string>

#include "clock.h"
#include "tabernetes/api_server.h"

namespace tabernetes::host {

class CoreStrand {
 public:
  // `context` runs the strand, on one thread, and outlives it.
  CoreStrand(boost::asio::io_context& context, Options options, Clock clock);
  CoreStrand(const CoreStrand&) = delete;
  CoreStrand& operator=(const CoreStrand&) = delete;

  boost::asio::io_context::executor_type executor() const { return context_.get_executor(); }

  // The rest: to be called on the strand, or before it runs.

  ApiServer& server() { return server_; }

  // Hands the core the time, then the request. `reply` is called on the strand.
  void handle(Request request, Reply reply);

  // To be called when the core may have got a new deadline: after a use of one of its streams.
  void rearm();

  // The cluster's time as an HTTP Date; made anew once a second.
  const std::string& date();

  // Advances no more, so that nothing keeps the context running.
  void stop();

 private:
  void on_timer();

  boost::asio::io_context& context_;
  Clock clock_;
  ApiServer server_;
  boost::asio::steady_timer timer_;
  std::optional<Time> armed_for_;
  bool stopped_ = false;
  std::int64_t date_second_ = -1;
  std::string date_;
};

}  // namespace tabernetes::host
