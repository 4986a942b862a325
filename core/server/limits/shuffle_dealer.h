// Shuffle sharding: which queues a flow may use. Source: upstream 1.36
// apiserver/pkg/util/shufflesharding/dealer.go, flowcontrol/apf_controller.go (hashFlowID).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tabernetes::server {

// Returns the number that stands for a flow: its schema, and the user or namespace.
std::uint64_t flow_hash(std::string_view schema, std::string_view distinguisher);

// Returns `hand_size` different numbers below `deck_size`, in an order that depends on the hash.
// REQUIRES: 0 < hand_size <= deck_size.
std::vector<int> deal_hand(std::uint64_t hash, int deck_size, int hand_size);

}  // namespace tabernetes::server
