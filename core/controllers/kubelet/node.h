// A simulated node: what its kubelet remembers beside the objects of the cluster.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "tabernetes/time.h"

namespace tabernetes::controllers::kubelet {

// Marks a Node as simulated, with the value "simulated", as an annotation or a label.
inline constexpr std::string_view kNodeMark = "tabernetes.dev/node";

// Returns true for a Node that is marked, also if KWOK's annotation marks it.
bool is_simulated(const json::Value& node);

// The addresses of pods: a subnet, and which of its addresses are taken.
class PodAddresses {
 public:
  PodAddresses() = default;
  // `cidr`: the Node's; if it is empty or no IPv4 subnet, one that follows from the node's name.
  PodAddresses(std::string_view cidr, std::string_view node_name);

  // Takes the next free address; nullopt if there is none.
  std::optional<std::string> take();
  void take(std::string_view address);  // nothing happens if it is none of the subnet
  void release(std::string_view address);
  // Returns "10.244.1.1-10.244.1.254".
  std::string range() const;

 private:
  std::optional<std::uint32_t> number_of(std::string_view address) const;
  std::string text_of(std::uint32_t number) const;

  std::uint32_t first_ = 0;   // of the subnet
  std::uint32_t size_ = 256;  // of the subnet; the first two addresses and the last are not used
  std::uint32_t last_taken_ = 1;
  std::set<std::uint32_t> taken_;
};

// Whether the kubelet reports its node as ready; one that is gone does nothing at all.
enum class NodeState { kReady, kNotReady, kGone };

struct Node {
  std::string uid;
  std::string host_ip;
  std::string subnet;  // the Node's podCIDR
  PodAddresses addresses;
  std::map<std::string, std::int64_t, std::less<>> images;  // full names and sizes
  Time next_report;                                         // of its status, at the latest
  NodeState state = NodeState::kReady;
  bool registered = false;
  bool changed = false;  // its status is to be reported with the next heartbeat
};

}  // namespace tabernetes::controllers::kubelet
