// Compacts etcd's history from time to time, taking turns with the other API servers by the key
// `compact_rev_key`: its version counts the compactions, its value is a revision. Source: upstream
// 1.36: apiserver/pkg/storage/etcd3/compact.go.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>

#include "etcd/client.h"

namespace tabernetes::host::etcd {

class Compactor {
 public:
  // `interval` 0: never. REQUIRES: `client` outlives this object.
  Compactor(boost::asio::io_context& context, Client& client, std::chrono::nanoseconds interval)
      : client_(client), timer_(context), interval_(interval) {}

  void start();
  void stop() { timer_.cancel(); }

 private:
  void take_turn();

  Client& client_;
  boost::asio::steady_timer timer_;
  const std::chrono::nanoseconds interval_;
  std::uint64_t turn_ = 0, revision_ = 0;  // as of the last turn
};

}  // namespace tabernetes::host::etcd
