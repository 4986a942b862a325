// Cells of the network kinds. Upstream 1.36: printers/internalversion/printers.go.
#include <string>
#include <vector>

#include "base/ascii.h"
#include "base/parts.h"
#include "json/access.h"
#include "registry/kinds/printers.h"
#include "registry/table/cell_text.h"
#include "registry/table/row.h"

namespace tabernetes::registry {
namespace {

using json::Value;

std::string external_ips(const Value& service) {
  const std::string_view type = text_at(service, {"spec", "type"});
  const auto external = items_at(service, {"spec", "externalIPs"});
  const std::string own = join_strings(external, ",");
  if (type == "ClusterIP" || type == "NodePort") return external.empty() ? std::string(kNone) : own;
  if (type == "ExternalName") return std::string(text_at(service, {"spec", "externalName"}));
  if (type != "LoadBalancer") return std::string(kUnknown);
  const std::string balancer = load_balancer_addresses(service);
  if (balancer.empty()) return external.empty() ? "<pending>" : own;
  return external.empty() ? balancer : balancer + "," + own;
}

// "80/TCP,443:30443/TCP"
std::string service_ports(const Value& service) {
  std::vector<std::string> texts;
  for (const Value& port : items_at(service, {"spec", "ports"})) {
    std::string text = std::to_string(number_at(port, {"port"}));
    const std::int64_t node_port = number_at(port, {"nodePort"});
    if (node_port > 0) text += ":" + std::to_string(node_port);
    texts.push_back(text + "/" + std::string(port.string_at("protocol")));
  }
  return texts.empty() ? std::string(kNone) : join(texts, ",");
}

std::string host_and_port(std::string_view host, std::int64_t port) {
  const bool bracketed = host.find(':') != std::string_view::npos;
  std::string text = bracketed ? "[" + std::string(host) + "]" : std::string(host);
  return text + ":" + std::to_string(port);
}

std::string endpoints_text(const Value& object) {
  std::vector<std::string> texts;
  const auto subsets = items_at(object, {"subsets"});
  if (subsets.empty()) return std::string(kNone);
  for (const Value& subset : subsets) {
    const auto ports = items_at(subset, {"ports"});
    for (const Value& port : ports) {
      for (const Value& address : items_at(subset, {"addresses"})) {
        texts.push_back(host_and_port(address.string_at("ip"), number_at(port, {"port"})));
      }
    }
    if (!ports.empty()) continue;
    for (const Value& address : items_at(subset, {"addresses"})) {
      texts.emplace_back(address.string_at("ip"));
    }
  }
  return join_first(texts, 3);
}

std::string slice_ports(const Value& slice) {
  std::vector<std::string> texts;
  for (const Value& port : items_at(slice, {"ports"})) {
    if (has(port, {"port"})) {
      texts.push_back(std::to_string(number_at(port, {"port"})));
    } else {
      texts.emplace_back(text_if_set(port, {"name"}, "*"));
    }
  }
  return first_or_unset(texts);
}

std::string slice_addresses(const Value& slice) {
  std::vector<std::string> texts;
  for (const Value& endpoint : items_at(slice, {"endpoints"})) {
    for (const Value& address : items_at(endpoint, {"addresses"})) {
      if (address.is_string()) texts.emplace_back(address.as_string());
    }
  }
  return first_or_unset(texts);
}

// At most three hosts. What is left over counts rules, not hosts.
std::string ingress_hosts(const Value& ingress) {
  constexpr std::size_t kShown = 3;
  std::vector<std::string> hosts;
  bool more = false;
  const auto rules = items_at(ingress, {"spec", "rules"});
  for (const Value& rule : rules) {
    if (hosts.size() == kShown) {
      more = true;
      break;
    }
    const std::string_view host = rule.string_at("host");
    if (!host.empty()) hosts.emplace_back(host);
  }
  if (hosts.empty()) return "*";
  std::string text = join(hosts, ",");
  if (more) text += " + " + std::to_string(rules.size() - kShown) + " more...";
  return text;
}

// "P.g/x": kind, group and name of an IngressClass' parameters.
std::string ingress_parameters(const Value& ingress_class) {
  const Value* parameters = ingress_class.at({"spec", "parameters"});
  if (parameters == nullptr || !parameters->is_object()) return std::string(kNone);
  std::string text(parameters->string_at("kind"));
  if (has(*parameters, {"apiGroup"})) text.append(".").append(parameters->string_at("apiGroup"));
  return text.append("/").append(parameters->string_at("name"));
}

std::string parent_reference(const Value& address) {
  const Value* parent = address.at({"spec", "parentRef"});
  if (parent == nullptr || !parent->is_object()) return std::string(kNone);
  std::string text(parent->string_at("resource"));
  const std::string_view group = parent->string_at("group");
  if (!group.empty()) text.append(".").append(group);
  text = ascii_lower(text);
  const std::string_view space = parent->string_at("namespace");
  if (!space.empty()) text.append("/").append(space);
  return text.append("/").append(parent->string_at("name"));
}

}  // namespace

void print_service(const Value& object, Row& row) {
  row.name(object);
  row.text(text_at(object, {"spec", "type"}));
  const auto ips = items_at(object, {"spec", "clusterIPs"});
  row.text(ips.empty() || !ips[0].is_string() ? kNone : ips[0].as_string());
  row.text(external_ips(object));
  row.text(service_ports(object));
  row.age(object);
  row.text(labels_text(object.at({"spec", "selector"})));
}

void print_endpoints(const Value& object, Row& row) {
  row.name(object);
  row.text(endpoints_text(object));
  row.age(object);
}

void print_endpoint_slice(const Value& object, Row& row) {
  row.name(object);
  row.text(text_at(object, {"addressType"}));
  row.text(slice_ports(object));
  row.text(slice_addresses(object));
  row.age(object);
}

void print_ingress(const Value& object, Row& row) {
  row.name(object);
  row.text(text_if_set(object, {"spec", "ingressClassName"}, kNone));
  row.text(ingress_hosts(object));
  row.text(load_balancer_addresses(object));
  row.text(items_at(object, {"spec", "tls"}).empty() ? "80" : "80, 443");
  row.age(object);
}

void print_ingress_class(const Value& object, Row& row) {
  std::string name(text_at(object, {"metadata", "name"}));
  if (text_at(object, {"metadata", "annotations", "ingressclass.kubernetes.io/is-default-class"}) ==
      "true") {
    name += " (default)";
  }
  row.text(name);
  row.text(text_at(object, {"spec", "controller"}));
  row.text(ingress_parameters(object));
  row.age(object);
}

void print_network_policy(const Value& object, Row& row) {
  row.name(object);
  row.text(selector_text(object.at({"spec", "podSelector"})));
  row.age(object);
}

void print_service_cidr(const Value& object, Row& row) {
  row.name(object);
  row.text(join_strings(items_at(object, {"spec", "cidrs"}), ","));
  row.age(object);
}

// Three cells under two columns, as upstream.
void print_ip_address(const Value& object, Row& row) {
  row.name(object);
  row.text(parent_reference(object));
  row.age(object);
}

}  // namespace tabernetes::registry
