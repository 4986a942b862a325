#include "server/limits/shuffle_dealer.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>

namespace tabernetes::server {
namespace {

// The hashes and hands are those of upstream's algorithm.
TEST_CASE("A flow has a number, and a hand of queues that depends on it") {
  const std::uint64_t alice = flow_hash("global-default", "alice");
  CHECK(alice == 17644606172554983095U);
  CHECK(deal_hand(alice, 128, 6) == std::vector<int>{55, 62, 126, 125, 105, 1});
  CHECK(deal_hand(flow_hash("service-accounts", "system:serviceaccount:team:bot"), 128, 6) ==
        std::vector<int>{121, 71, 69, 23, 66, 70});
  CHECK(deal_hand(flow_hash("system-leader-election", "system:kube-scheduler"), 16, 4) ==
        std::vector<int>{10, 15, 8, 13});
  CHECK(deal_hand(flow_hash("for-que", ""), 1, 1) == std::vector<int>{0});
}

TEST_CASE("A hand has no queue twice and every queue is in some hand") {
  std::set<int> dealt;
  for (std::uint64_t hash = 0; hash < 2000; ++hash) {
    const std::vector<int> hand = deal_hand(hash * 7919, 8, 4);
    REQUIRE(std::set<int>(hand.begin(), hand.end()).size() == 4);
    CHECK(*std::min_element(hand.begin(), hand.end()) >= 0);
    CHECK(*std::max_element(hand.begin(), hand.end()) < 8);
    dealt.insert(hand.begin(), hand.end());
  }
  CHECK(dealt.size() == 8);
}

}  // namespace
}  // namespace tabernetes::server
