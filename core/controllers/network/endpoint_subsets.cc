#include "controllers/network/endpoint_subsets.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "base/algorithm/fnv.h"
#include "base/algorithm/sort.h"
#include "controllers/network/service_observer.h"
#include "controllers/shared/go_dump.h"
#include "controllers/shared/objects.h"
#include "json/access.h"
#include "json/equality.h"
#include "registry/meta/conditions.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr std::size_t kMostAddresses = 1000;

struct Address {
  Value value;
  bool ready = false;
};
// By IP and uid of the pod, as they are listed.
using Addresses = std::map<std::pair<std::string, std::string>, Address>;

struct PortAddresses {
  Value port;  // null: none
  Addresses addresses;
};

Value address_of(const Value& service, const Value& pod, const std::string& ip,
                 json::Arena& arena) {
  return object_of({{"ip", text_value(ip, arena)},
                    {"hostname", Value::string(hostname_under(pod, service))},
                    {"nodeName", Value::string(text_at(pod, {"spec", "nodeName"}))},
                    {"targetRef", object_of({{"kind", Value::string("Pod")},
                                             {"namespace", Value::string(namespace_of(pod))},
                                             {"name", Value::string(name_of(pod))},
                                             {"uid", Value::string(uid_of(pod))}},
                                            arena)}},
                   arena);
}

Value port_of(const Value& service_port, std::int64_t number, json::Arena& arena) {
  const Value* protocol = service_port.find("appProtocol");
  return object_of({{"name", Value::string(service_port.string_at("name"))},
                    {"port", Value::integer(number)},
                    {"protocol", Value::string(service_port.string_at("protocol"))},
                    {"appProtocol", protocol == nullptr ? Value() : *protocol}},
                   arena);
}

PortAddresses& entry_for(std::vector<PortAddresses>& ports, const Value& port) {
  for (PortAddresses& known : ports) {
    if (json::deep_equal(known.port, port)) return known;
  }
  return ports.emplace_back(PortAddresses{port, {}});
}

void add_pod(const Value& service, const Value& pod, const std::string& ip,
             std::vector<PortAddresses>& ports, json::Arena& arena) {
  const bool ready = bool_at(service, {"spec", "publishNotReadyAddresses"}) ||
                     registry::condition_is_true(pod, "Ready");
  const Address address{address_of(service, pod, ip, arena), ready};
  const std::pair<std::string, std::string> key{ip, std::string(uid_of(pod))};
  const json::Range<Value> service_ports = items_at(service, {"spec", "ports"});
  if (service_ports.empty() && text_at(service, {"spec", "clusterIP"}) == "None") {
    entry_for(ports, Value()).addresses.emplace(key, address);
  }
  for (const Value& service_port : service_ports) {
    const auto number = find_port(pod, service_port);
    if (!number) continue;
    Addresses& known = entry_for(ports, port_of(service_port, *number, arena)).addresses;
    const auto [place, is_new] = known.emplace(key, address);
    if (!is_new) place->second.ready = place->second.ready && ready;
  }
}

Fnv128a::Value hash_of(const schema::Type& type, const Value& item) {
  Fnv128a hash;
  hash.add(go_dump(type, item));
  return hash.value();
}

// Sorts the items of a list as upstream does: by hashes of what Go's spew prints of them.
void sort_by_hash(std::vector<Value>& items, const schema::Type& type) {
  struct Hashed {
    Fnv128a::Value hash;
    Value item;
  };
  std::vector<Hashed> hashed;
  for (const Value& item : items) hashed.push_back({hash_of(type, item), item});
  sort_stable(hashed, [](const Hashed& a, const Hashed& b) { return a.hash < b.hash; });
  for (std::size_t i = 0; i < items.size(); ++i) items[i] = hashed[i].item;
}

const schema::Type& item_type(const schema::Type& type, std::string_view list) {
  return *type.find(list)->type.element->ref;
}

bool same_addresses(const Addresses& a, const Addresses& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.first == y.first && x.second.ready == y.second.ready;
  });
}

Value subset_of(const Addresses& addresses, const std::vector<Value>& ports, json::Arena& arena) {
  Value ready = Value::array(arena);
  Value not_ready = Value::array(arena);
  for (const auto& [key, address] : addresses) {
    (address.ready ? ready : not_ready).push_back(arena, address.value);
  }
  Value port_list = Value::array(arena);
  for (const Value& port : ports) port_list.push_back(arena, port);
  return object_of({{"addresses", ready.size() == 0 ? Value() : ready},
                    {"notReadyAddresses", not_ready.size() == 0 ? Value() : not_ready},
                    {"ports", port_list.size() == 0 ? Value() : port_list}},
                   arena);
}

std::size_t count_of(const Value& subsets, std::string_view list) {
  std::size_t count = 0;
  for (const Value& subset : subsets.items()) count += items_in(subset, list).size();
  return count;
}

void shorten(Value& list, std::size_t most) {
  while (list.size() > most) list.erase_item(list.size() - 1);
}

}  // namespace

Value subsets_of(const Value& service, const std::vector<Value>& pods,
                 const schema::Type& endpoints, json::Arena& arena) {
  const schema::Type& subset_type = item_type(endpoints, "subsets");
  const json::Range<Value> families = items_at(service, {"spec", "ipFamilies"});
  const std::string_view family = families.empty() ? "IPv4" : families[0].as_string();
  std::vector<PortAddresses> ports;
  for (const Value& pod : pods) {
    if (!may_be_endpoint(pod) || is_terminating(pod)) continue;
    const std::vector<std::string> ips = addresses_of(pod, family);
    if (!ips.empty()) add_pod(service, pod, ips.front(), ports, arena);
  }
  std::vector<Value> subsets;
  while (!ports.empty()) {
    const Addresses addresses = ports.front().addresses;
    std::vector<Value> shared;
    for (auto it = ports.begin(); it != ports.end();) {
      if (!same_addresses(it->addresses, addresses)) {
        ++it;
        continue;
      }
      if (!it->port.is_null()) shared.push_back(it->port);
      it = ports.erase(it);
    }
    sort_by_hash(shared, item_type(subset_type, "ports"));
    subsets.push_back(subset_of(addresses, shared, arena));
  }
  sort_by_hash(subsets, subset_type);
  Value list = Value::array(arena);
  for (const Value& subset : subsets) list.push_back(arena, subset);
  return list;
}

bool truncate_subsets(Value& subsets) {
  const std::size_t ready = count_of(subsets, "addresses");
  const std::size_t not_ready = count_of(subsets, "notReadyAddresses");
  if (ready + not_ready <= kMostAddresses) return false;
  const bool cuts_ready = ready > kMostAddresses;
  const std::size_t room = cuts_ready ? kMostAddresses : kMostAddresses - ready;
  const std::size_t total = cuts_ready ? ready : not_ready;
  std::size_t left = room;
  for (Value& subset : subsets.items()) {
    Value* list = subset.find(cuts_ready ? "addresses" : "notReadyAddresses");
    const std::size_t size = list == nullptr ? 0 : list->size();
    // Each subset keeps its share, rounded up.
    const std::size_t share = std::min((size * room + total - 1) / total, left);
    if (list != nullptr) shorten(*list, share);
    if (cuts_ready) subset.erase("notReadyAddresses");
    left -= std::min(size, share);
  }
  return true;
}

}  // namespace tabernetes::controllers
