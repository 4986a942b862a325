// The node ports of Services as kube-apiserver notes them in etcd: one value with a bit a port, by
// which servers over one storage agree. A Service and its ports in the value are stored together,
// so whoever comes second draws other ports. Source: upstream 1.36:
// pkg/registry/core/service/allocator/{bitmap.go,storage/storage.go}.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tabernetes/backend.h"

namespace tabernetes::server {

struct Cluster;

class NodePortRange {
 public:
  using Ports = std::vector<std::int64_t>;
  // Its key in shared storage.
  static constexpr std::string_view kPath = "ranges/servicenodeports";

  // Takes in the value that was stored at a revision, unless a later one is known; nullopt: it was
  // deleted.
  void take(std::optional<std::string_view> value, std::uint64_t revision);

  std::uint64_t revision() const { return revision_; }  // 0: there is none
  // Returns whether there is none, or one that can be read. Others are left alone.
  bool good() const { return good_; }
  const Ports& ports() const { return ports_; }
  // Returns the value with these ports instead of the earlier ones.
  std::string write(const Ports& ports) const;

 private:
  std::uint64_t revision_ = 0, seen_ = 0;
  bool good_ = true;
  std::string head_;  // of the message: all but the bits
  std::int64_t first_ = 0;
  Ports ports_;  // sorted
};

// A value of the range among the changes of a batch.
struct NotedPorts {
  std::size_t at = 0;
  std::string value;
};

// Adds the node ports that Services have got and given back to a batch of the last changes of the
// store.
std::vector<NotedPorts> note_node_ports(const Cluster& cluster, store::Batch& batch);
// Takes them out of the outcome again.
void settle_node_ports(Cluster& cluster, const std::vector<NotedPorts>& noted,
                       store::Outcome& outcome);

// Lets Services that are written from now on have no port that is noted for somebody.
void reserve_node_ports(Cluster& cluster);

}  // namespace tabernetes::server
