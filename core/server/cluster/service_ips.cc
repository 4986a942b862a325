#include "server/cluster/service_ips.h"

#include <algorithm>
#include <string>
#include <vector>

#include "registry/objects/object_record.h"

namespace tabernetes::server {
namespace {

using json::Value;
using registry::ResourceType;

constexpr std::string_view kServicePrefix = "core/services/";
constexpr std::string_view kAllocator = "kube-apiserver";

std::vector<std::string> addresses_of(const Cluster& cluster, const store::RecordPtr& record) {
  std::vector<std::string> found;
  if (!record) return found;
  json::Arena arena;
  const ResourceType& type = *cluster.registry.resources().find("", "v1", "services");
  const Value object = registry::read_object(type, *record, arena);
  const Value* addresses = object.at({"spec", "clusterIPs"});
  if (addresses == nullptr || !addresses->is_array()) return found;
  for (const Value& address : addresses->items()) {
    if (address.is_string() && address.as_string() != "None")
      found.emplace_back(address.as_string());
  }
  return found;
}

bool has(const std::vector<std::string>& addresses, const std::string& address) {
  return std::find(addresses.begin(), addresses.end(), address) != addresses.end();
}

Value ip_address(std::string_view address, const registry::KeyParts& service, json::Arena& arena) {
  const auto object_of =
      [&arena](std::initializer_list<std::pair<std::string_view, Value>> members) {
        Value object = Value::object(arena);
        for (const auto& [name, value] : members) object.append(arena, name, value);
        return object;
      };
  const auto text = [](std::string_view value) { return Value::string(value); };
  const bool v6 = address.find(':') != std::string_view::npos;
  return object_of(
      {{"kind", text("IPAddress")},
       {"apiVersion", text("networking.k8s.io/v1")},
       {"metadata",
        object_of(
            {{"name", text(address)},
             {"labels",
              object_of({{"ipaddress.kubernetes.io/ip-family", text(v6 ? "IPv6" : "IPv4")},
                         {"ipaddress.kubernetes.io/managed-by", text("ipallocator.k8s.io")}})}})},
       {"spec", object_of({{"parentRef", object_of({{"resource", text("services")},
                                                    {"namespace", text(service.ns)},
                                                    {"name", text(service.name)}})}})}});
}

}  // namespace

void follow_service_ips(Cluster& cluster, std::size_t begin) {
  const store::History& history = cluster.store.history();
  const registry::ResourceTable& resources = cluster.registry.resources();
  for (std::size_t at = begin, end = history.end(); history.kept(begin) && at < end; ++at) {
    const store::EventPtr event = history.at(at);
    if (!event->key.starts_with(kServicePrefix)) continue;
    const std::vector<std::string> before = addresses_of(cluster, event->previous);
    const std::vector<std::string> now = addresses_of(cluster, event->current);
    const ResourceType& type = *resources.find("networking.k8s.io", "v1", "ipaddresses");
    json::Arena arena;
    const registry::WriteContext context{
        .arena = arena, .now = cluster.now, .manager = std::string(kAllocator)};
    const registry::KeyParts service =
        registry::split_key(*resources.find("", "v1", "services"), event->key);
    for (const std::string& address : now) {
      if (has(before, address) || cluster.store.get(type.key({}, address))) continue;
      (void)cluster.registry.create(context, type, {}, ip_address(address, service, arena));
    }
    for (const std::string& address : before) {
      if (has(now, address)) continue;
      (void)cluster.registry.remove(context, {&type, {}, address}, {});
    }
  }
}

}  // namespace tabernetes::server
