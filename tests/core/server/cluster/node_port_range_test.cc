#include "server/cluster/node_port_range.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "base/text/base64.h"

namespace tabernetes::server {
namespace {

using Ports = NodePortRange::Ports;

// As a kube-apiserver 1.36 wrote it.
const std::string& recorded_range() {
  static const std::string value = *base64_decode(
      "azhzAAoVCgJ2MRIPUmFuZ2VBbGxvY2F0aW9uEjsKEAoAEgAaACIAKgAyADgAQgASCzMwMDAwLTMyNzY3GhoDAAAAAAAA"
      "AAAA"
      "CAAAAAAAAAAAAAAAAAAAABoAIgA=");
  return value;
}

TEST_CASE("node ports: a value of kube-apiserver is read, and written again", "[server]") {
  NodePortRange range;
  CHECK(range.good());
  CHECK(range.revision() == 0);
  range.take(recorded_range(), 7);
  CHECK(range.good());
  CHECK(range.revision() == 7);
  CHECK(range.ports() == Ports{30123, 30200, 30201});
  CHECK(range.write(range.ports()) == recorded_range());
  CHECK(NodePortRange().write({30123, 30200, 30201}) == recorded_range());
}

TEST_CASE("node ports: bits are set and cleared", "[server]") {
  for (const Ports& ports : {Ports{}, Ports{30000}, Ports{30000, 30007, 30008, 32767}}) {
    NodePortRange range;
    range.take(NodePortRange().write(ports), 3);
    CHECK(range.ports() == ports);
  }
}

TEST_CASE("node ports: an earlier value and a deletion", "[server]") {
  NodePortRange range;
  range.take(recorded_range(), 7);
  range.take(NodePortRange().write({30000}), 6);
  CHECK(range.ports().size() == 3);
  range.take(std::nullopt, 8);
  CHECK(range.ports().empty());
  CHECK(range.revision() == 0);
  CHECK(range.good());
}

TEST_CASE("node ports: what cannot be read is no range", "[server]") {
  for (const std::string value : {"", "garbage", "k8s"}) {
    NodePortRange range;
    range.take(value, 7);
    CHECK_FALSE(range.good());
    CHECK(range.ports().empty());
  }
}

}  // namespace
}  // namespace tabernetes::server
