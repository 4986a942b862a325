// Leases for keys that go by themselves, shared by keys as kube-apiserver shares them: a lease is
// used for a minute, for at most 1,000 keys, and lasts that minute longer. Source: upstream 1.36:
// apiserver/pkg/storage/etcd3/lease_manager.go.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "etcd/client.h"

namespace tabernetes::host::etcd {

class Leases {
 public:
  explicit Leases(Client& client) : client_(client) {}

  // Calls `done` with a lease that lasts `seconds` from now, or with how the request for it ended.
  using Done = std::function<void(CallEnd end, std::uint64_t lease)>;
  void get(std::uint64_t seconds, Done done);

 private:
  using Clock = std::chrono::steady_clock;
  struct Lease {
    std::uint64_t id = 0;
    Clock::time_point until;  // when it is not given to more keys
    int keys = 0;
    std::vector<Done> waiting;  // while it is being made
  };

  Client& client_;
  std::map<std::uint64_t, Lease> leases_;  // by seconds
};

}  // namespace tabernetes::host::etcd
