#include "controllers/kubelet/registered_node.h"

#include "codec/json_writer.h"
#include "controllers/kubelet/node.h"
#include "controllers/kubelet/node_status.h"
#include "json/value.h"

namespace tabernetes::controllers::kubelet {
namespace {

using json::Value;

// Node 1 has the subnet 10.244.1.0/24; from node 256 on, they begin at 10.129.0.0.
std::string subnet_of(int number) {
  const int second = number < 256 ? 244 : 128 + number / 256;
  return "10." + std::to_string(second) + "." + std::to_string(number % 256) + ".0/24";
}

std::string host_ip_of(int number) {
  return "192.168." + std::to_string(1 + number / 256) + "." + std::to_string(number % 256);
}

}  // namespace

std::string registered_node(int number, Time now) {
  json::Arena arena;
  const std::string name = "node-" + std::to_string(number);
  const std::string subnet = subnet_of(number);
  Value annotations = Value::object(arena);
  annotations.append(arena, kNodeMark, Value::string("simulated"));
  Value metadata = Value::object(arena);
  metadata.append(arena, "name", Value::string(name));
  metadata.append(arena, "annotations", annotations);
  Value subnets = Value::array(arena);
  subnets.push_back(arena, Value::string(subnet));
  Value spec = Value::object(arena);
  spec.append(arena, "podCIDR", Value::string(subnet));
  spec.append(arena, "podCIDRs", subnets);
  Value node = Value::object(arena);
  node.append(arena, "apiVersion", Value::string("v1"));
  node.append(arena, "kind", Value::string("Node"));
  node.append(arena, "metadata", metadata);
  node.append(arena, "spec", spec);
  complete_metadata(node, arena);
  Node known;
  known.host_ip = host_ip_of(number);
  node.append(arena, "status", node_status(node, known, now, arena));
  std::string text;
  codec::write_json(node, text);
  return text;
}

}  // namespace tabernetes::controllers::kubelet
