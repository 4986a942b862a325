// Warnings about kinds without pods. Source: upstream 1.36 pkg/registry/*/*/strategy.go,
// pkg/api/{node,service,storage}, apimachinery pkg/util/validation/ip.go.

#include <string>

#include "base/api/names.h"
#include "base/api/quantity.h"
#include "base/go/text.h"
#include "base/net/ip_address.h"
#include "base/text/ascii.h"
#include "json/equality.h"
#include "kinds/warn.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Value;

struct OldLabel {
  std::string_view key, since, use;
};
constexpr OldLabel kOldLabels[] = {
    {"beta.kubernetes.io/arch", "1.14", "kubernetes.io/arch"},
    {"beta.kubernetes.io/os", "1.14", "kubernetes.io/os"},
    {"failure-domain.beta.kubernetes.io/region", "1.17", "topology.kubernetes.io/region"},
    {"failure-domain.beta.kubernetes.io/zone", "1.17", "topology.kubernetes.io/zone"},
    {"beta.kubernetes.io/instance-type", "1.17", "node.kubernetes.io/instance-type"},
    {"app.kubernetes.io/created-by", "1.9", {}},
    {"scheduler.alpha.kubernetes.io/preferAvoidPods", "1.22", "Taints and Tolerations"},
    {"node-role.kubernetes.io/master", {}, "node-role.kubernetes.io/control-plane"},
};

// Returns advice about a label, or an empty text.
std::string advice(std::string_view label) {
  for (const OldLabel& old : kOldLabels) {
    if (old.key != label) continue;
    std::string text;
    if (!old.since.empty()) text = "deprecated since v" + std::string(old.since);
    if (old.use.empty()) return text;
    if (!text.empty()) text += "; ";
    const bool is_label = old.use.find('/') != std::string_view::npos;
    return text + "use " + (is_label ? go_quote(old.use) : std::string(old.use)) + " instead";
  }
  return {};
}

bool has_annotation(const Value& object, std::string_view key) {
  return object.at({"metadata", "annotations", key}) != nullptr;
}

bool has_label(const Field& object, std::string_view key, std::string_view value) {
  const Value* labels = object.value()->at({"metadata", "labels"});
  return labels != nullptr && labels->string_at(key) == value;
}

void warn_of_cidrs(const Field& list, Warnings& out) {
  for (const Field range : list.items()) warn_of_cidr(range, out);
}

void warn_of_peers(const Field& rules, std::string_view side, Warnings& out) {
  for (const Field rule : rules.items()) {
    const Field peers = rule[side];
    for (const Field peer : peers.items()) {
      const Field block = peer["ipBlock"];
      if (!block.present()) continue;
      warn_of_cidr(block["cidr"], out);
      warn_of_cidrs(block["except"], out);
    }
  }
}

}  // namespace

void warn_of_node_label(const Field& place, std::string_view label, Warnings& out,
                        std::string_view key) {
  const std::string text = advice(label);
  if (!text.empty()) out.at(place, {key, key.empty() ? "" : " is ", text});
}

void warn_of_node_term(const Field& term, bool values, Warnings& out) {
  const Field expressions = term["matchExpressions"];
  for (const Field expression : expressions.items()) {
    const Field key = expression["key"];
    warn_of_node_label(key, key.text(), out, key.text());
    if (!values) continue;
    const Field list = expression["values"];
    for (const Field value : list.items()) {
      for (const std::string& fault : label_value_faults(value.text())) {
        out.at(value, {value.text(), " is invalid, ", fault});
      }
    }
  }
}

// Upstream also warns about leading zeros and IPv4-mapped IPv6 addresses; new objects cannot
// contain them.
void warn_of_ip(const Field& place, Warnings& out, std::string_view text) {
  const auto ip = parse_ip(text);
  if (!ip || ip->v4) return;
  const std::string preferred = ip->to_string();
  if (preferred == text) return;
  out.at(place, {"IPv6 address ", go_quote(text), " should be in RFC 5952 canonical format (",
                 go_quote(preferred), ")"});
}

void warn_of_ips(const Field& addresses, Warnings& out) {
  for (const Field address : addresses.items()) warn_of_ip(address, out);
}

// The same is true of ranges with bits set after their prefix.
void warn_of_cidr(const Field& place, Warnings& out) {
  const auto range = parse_ip_range(place.text());
  if (!range || range->address.v4) return;
  const std::string preferred = range->to_string();
  if (preferred == place.text()) return;
  out.at(place, {"IPv6 CIDR value ", go_quote(place.text()),
                 " should be in RFC 5952 canonical format (", go_quote(preferred), ")"});
}

void warn_of_service(const Field& object, const Value*, Warnings& out) {
  if (has_annotation(*object.value(), "service.kubernetes.io/topology-aware-hints")) {
    out.add(
        {"annotation service.kubernetes.io/topology-aware-hints is deprecated, please use "
         "service.kubernetes.io/topology-mode instead"});
  }
  const Field spec = object["spec"];
  const std::string_view address = spec.text_at("clusterIP");
  const bool none = address == "None";
  const bool external_name = spec.text_at("type") == "ExternalName";
  const bool headless = none && spec.text_at("type") == "ClusterIP";
  const Field external = spec["externalIPs"];
  if (!none && !address.empty()) warn_of_ips(spec["clusterIPs"], out);
  if (headless) {
    if (!spec.text_at("loadBalancerIP").empty()) {
      out.add({"spec.loadBalancerIP is ignored for headless services"});
    }
    if (!external.empty()) out.add({"spec.externalIPs is ignored for headless services"});
    if (spec.text_at("sessionAffinity") != "None") {
      out.add({"spec.SessionAffinity is ignored for headless services"});
    }
  }
  warn_of_ips(external, out);
  if (!external.empty() && !headless && !external_name) {
    out.add({"spec.externalIPs is deprecated and may no longer be implemented in some clusters"});
  }
  warn_of_ip(spec["loadBalancerIP"], out);
  warn_of_cidrs(spec["loadBalancerSourceRanges"], out);
  if (external_name && !external.empty()) {
    out.add({"spec.externalIPs is ignored when spec.type is \"ExternalName\""});
  }
  if (!external_name && !spec.text_at("externalName").empty()) {
    out.add({"spec.externalName is ignored when spec.type is not \"ExternalName\""});
  }
  if (spec.text_at("trafficDistribution") == "PreferClose") {
    out.add({"spec.trafficDistribution: \"PreferClose\" is deprecated; use \"PreferSameZone\""});
  }
}

void warn_of_balancer_status(const Field& object, const Value*, Warnings& out) {
  const Field status = object["status"];
  const Field balancer = status["loadBalancer"];
  const Field ingress = balancer["ingress"];
  for (const Field entry : ingress.items()) {
    warn_of_ip(entry, out, entry.text_at("ip"));  // upstream's path ends here
  }
}

void warn_of_endpoints(const Field& object, const Value*, Warnings& out) {
  if (has_label(object, "endpoints.kubernetes.io/managed-by", "endpoint-controller")) return;
  const Field subsets = object["subsets"];
  for (const Field subset : subsets.items()) {
    for (const std::string_view name : {"addresses", "notReadyAddresses"}) {
      const Field list = subset[name];
      for (const Field address : list.items()) warn_of_ip(address["ip"], out);
    }
  }
}

void warn_of_endpoint_slice(const Field& object, const Value* old, Warnings& out) {
  if (old == nullptr && object.text_at("addressType") == "FQDN") {
    out.add({"spec.addressType: FQDN endpoints are deprecated"});
  }
  for (const std::string_view controller :
       {"endpointslice-controller.k8s.io", "endpointslicemirroring-controller.k8s.io"}) {
    if (has_label(object, "endpointslice.kubernetes.io/managed-by", controller)) return;
  }
  const Field endpoints = object["endpoints"];
  for (const Field endpoint : endpoints.items()) warn_of_ips(endpoint["addresses"], out);
}

void warn_of_ingress(const Field& object, const Value* old, Warnings& out) {
  if (old == nullptr && has_annotation(*object.value(), "kubernetes.io/ingress.class") &&
      !object["spec"].has("ingressClassName")) {
    out.add(
        {"annotation \"kubernetes.io/ingress.class\" is deprecated, please use "
         "'spec.ingressClassName' instead"});
  }
}

void warn_of_network_policy(const Field& object, const Value*, Warnings& out) {
  const Field spec = object["spec"];
  warn_of_peers(spec["ingress"], "from", out);
  warn_of_peers(spec["egress"], "to", out);
}

void warn_of_storage_class(const Field& object, const Value*, Warnings& out) {
  const Field topologies = object["allowedTopologies"];
  for (const Field topology : topologies.items()) {
    const Field expressions = topology["matchLabelExpressions"];
    for (const Field expression : expressions.items()) {
      const Field key = expression["key"];
      warn_of_node_label(key, key.text(), out);
    }
  }
}

void warn_of_storage_capacity(const Field& object, const Value*, Warnings& out) {
  const Field topology = object["nodeTopology"];
  warn_of_node_term(topology, false, out);
  const Field labels = topology["matchLabels"];
  for (const Field label : labels.items()) {
    warn_of_node_label(labels[label.name()], label.name(), out);
  }
}

void warn_of_csi_driver(const Field& object, const Value* old, Warnings& out) {
  const Field spec = object["spec"];
  const Field requests = spec["tokenRequests"];
  if (requests.empty() || spec.has("serviceAccountTokenInSecrets")) return;
  const Value* before = old == nullptr ? nullptr : old->at({"spec", "tokenRequests"});
  if (before != nullptr && json::deep_equal(*before, *requests.value())) return;
  out.add(
      {"spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to "
       "true to prevent possible logging of tokens in volume attributes"});
}

void warn_of_node(const Field& object, const Value*, Warnings& out) {
  const Field spec = object["spec"];
  if (spec.has("configSource")) out.add({"spec.configSource: the feature is removed"});
  if (!spec.text_at("externalID").empty()) {
    out.add({"spec.externalID: this field is deprecated, and is unused by Kubernetes"});
  }
  warn_of_cidrs(spec["podCIDRs"], out);
}

void warn_of_secret(const Field& object, const Value*, Warnings& out) {
  if (object.text_at("type") != "kubernetes.io/tls") return;
  const Field data = object["data"];
  const std::string fault = key_pair_fault(data.text_at("tls.crt"), data.text_at("tls.key"));
  if (!fault.empty()) out.add({fault});
}

void warn_of_service_account(const Field& object, const Value* old, Warnings& out) {
  constexpr std::string_view kKey = "kubernetes.io/enforce-mountable-secrets";
  if ((old != nullptr && has_annotation(*old, kKey)) || !has_annotation(*object.value(), kKey)) {
    return;
  }
  out.add({"metadata.annotations[", kKey,
           "]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted "
           "secrets"});
}

void warn_of_resource_quota(const Field& object, const Value* old, Warnings& out) {
  if (old != nullptr) return;
  const Field spec = object["spec"];
  const Field hard = spec["hard"];
  for (const std::string_view name : {"cpu", "memory", "storage", "ephemeral-storage"}) {
    std::string request = "requests." + std::string(name);
    const std::string limit = "limits." + std::string(name);
    if (hard.find(request) == nullptr && name.size() < 7) request = name;
    std::string_view error;
    const auto asked = Quantity::parse(hard.text_at(request), error);
    const auto most = Quantity::parse(hard.text_at(limit), error);
    if (!asked || !most || asked->compare(*most) <= 0) continue;
    out.add({"ResourceQuota ", request, " (", asked->to_string(), ") should be less than ", limit,
             " (", most->to_string(), ")"});
  }
}

void warn_of_runtime_class(const Field& object, const Value*, Warnings& out) {
  const Field scheduling = object["scheduling"];
  const Field selector = scheduling["nodeSelector"];
  for (const Field label : selector.items()) warn_of_node_label(selector, label.name(), out);
}

void warn_of_resource_slice(const Field& object, const Value*, Warnings& out) {
  const std::string_view driver = object["spec"].text_at("driver");
  if (std::none_of(driver.begin(), driver.end(), is_upper)) return;
  out.add({"spec.driver: driver names should be lowercase; ", go_quote(driver),
           " contains uppercase characters"});
}

void warn_of_static_name(const Field& object, const Value*, Warnings& out) {
  constexpr std::string_view kSuffix = ".static.k8s.io";
  if (!object["metadata"].text_at("name").ends_with(kSuffix)) return;
  out.add({"metadata.name: names ending with ", go_quote(kSuffix),
           " are reserved for static manifest-based configurations and cannot be managed via the "
           "API"});
}

}  // namespace tabernetes::registry::kinds
