// Requests to a node: log, exec, attach, portforward and proxy. The server's own checks are here; a
// host that simulates nodes takes over from there (Options::connect_to_node). Without nodes the
// answer is that of a server that cannot reach them. Source: upstream 1.36
// pkg/registry/core/{pod,service,node}, pkg/kubelet/client.

#include <charconv>

#include "base/api/field_error.h"
#include "base/go/text.h"
#include "base/net/ip_address.h"
#include "controllers/kubelet/node.h"
#include "json/access.h"
#include "registry/meta/object_meta.h"
#include "server/access/authorization.h"
#include "server/channels/exec_answer.h"
#include "server/channels/log_answer.h"
#include "server/channels/port_forward.h"
#include "server/channels/port_proxy.h"
#include "server/encode/answer.h"
#include "server/verbs/connect_options.h"
#include "server/verbs/core_object.h"
#include "server/verbs/kubelet_documents.h"
#include "server/verbs/verbs.h"

namespace tabernetes::server {
namespace {

using json::Value;

Failure unavailable(std::string message) {
  return ApiStatus{.code = 503, .reason = "ServiceUnavailable", .message = std::move(message)};
}

// --- Choosing the container and the node

Result<std::string> chosen_container(const Value& pod, std::string_view wanted) {
  const std::string name(text_at(pod, {"metadata", "name"}));
  std::string all;
  bool known = false;
  for (const std::string_view list : {"initContainers", "containers", "ephemeralContainers"}) {
    for (const Value& container : items_at(pod, {"spec", list})) {
      const std::string_view own = container.string_at("name");
      known = known || own == wanted;
      all.append(all.empty() ? "" : " ").append(own);
    }
  }
  if (!wanted.empty()) {
    if (known) return std::string(wanted);
    return errors::bad_request("container " + std::string(wanted) + " is not valid for pod " +
                               name);
  }
  const json::Range<Value> containers = items_at(pod, {"spec", "containers"});
  if (containers.size() == 1) return std::string(containers[0].string_at("name"));
  return errors::bad_request("a container name must be specified for pod " + name +
                             ", choose one of: [" + all + "]");
}

// Returns the address of a node; the port is the kubelet's.
Result<std::string> address_of(RequestContext& call, std::string_view node_name) {
  TAB_TRY(const Value node, read_core_object(call, "nodes", {}, node_name));
  static constexpr std::string_view kPreferred[] = {"Hostname", "InternalDNS", "InternalIP",
                                                    "ExternalDNS", "ExternalIP"};
  for (const std::string_view type : kPreferred) {
    for (const Value& address : items_at(node, {"status", "addresses"})) {
      if (address.string_at("type") == type) return std::string(address.string_at("address"));
    }
  }
  return errors::plain_error("no preferred addresses found; known addresses: []");
}

// Returns the error for dialing a node that does not exist, whose name cannot be resolved.
std::string unreachable(const std::string& host) {
  return parse_ip(host) ? "dial tcp " + host + ":10250: connect: connection refused"
                        : "dial tcp: lookup " + host + ": no such host";
}

// Passes the call to the host, or reports that the node is unreachable.
Result<Response> hand_over(RequestContext& call, const NodeConnection& connection) {
  const auto& connect = call.server.options.connect_to_node;
  if (connect != nullptr) {
    if (auto answer = connect(connection, call.request)) return std::move(*answer);
  }
  TAB_TRY(const std::string host, address_of(call, connection.node));
  if (connection.what == "log") {
    return errors::plain_error("Get \"https://" + host + ":10250/containerLogs/" + call.ns + "/" +
                               call.name + "/" + connection.container + "\": " + unreachable(host));
  }
  if (connection.what == "proxy" && !parse_ip(host)) {
    return errors::bad_request("lookup " + host + ": no such host");
  }
  return errors::plain_error("error dialing backend: " + unreachable(host));
}

// Returns true if the node is a simulated one, unless the host answers for nodes itself.
bool runs_here(RequestContext& call, std::string_view node_name) {
  if (call.server.options.connect_to_node != nullptr) return false;
  const auto node = read_core_object(call, "nodes", {}, node_name);
  return node && controllers::kubelet::is_simulated(*node);
}

// --- Options of logs

Result<void> check_log_options(const RequestContext& call) {
  struct Bound {
    std::string_view name, text;
    std::int64_t least;
  };
  static constexpr Bound kBounds[] = {
      {"tailLines", "must be greater than or equal to 0", 0},
      {"limitBytes", "must be greater than 0", 1},
      {"sinceSeconds", "must be greater than 0", 1},
  };
  field::ErrorList errors;
  for (const Bound& bound : kBounds) {
    TAB_TRY(const std::optional<std::int64_t> number, call.query.integer(bound.name));
    if (!number) continue;
    if (bound.name == "sinceSeconds" && call.query.has("sinceTime")) {
      errors.push_back(field::forbidden(
          field::Path("[]"), "at most one of `sinceTime` or `sinceSeconds` may be specified"));
    } else if (*number < bound.least) {
      errors.push_back(field::invalid(field::Path(std::string(bound.name)), std::to_string(*number),
                                      bound.text));
    }
  }
  if (call.query.has("stream")) {
    errors.push_back(field::forbidden(field::Path("stream"), "may not be specified"));
  }
  if (errors.empty()) return {};
  return field::invalid_status({"", "PodLogOptions"}, call.name, errors);
}

// --- Proxies

// `scheme:name:port`; only the name is required.
struct ProxyTarget {
  std::string scheme, name, port;
};
Result<ProxyTarget> parse_target(std::string_view id, std::string_view what) {
  std::vector<std::string> parts(1);
  for (const char c : id) {
    if (c == ':') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  ProxyTarget target;
  if (parts.size() == 1) target = {"", parts[0], ""};
  if (parts.size() == 2) target = {"", parts[0], parts[1]};
  if (parts.size() == 3) target = {parts[0], parts[1], parts[2]};
  const bool scheme = target.scheme.empty() || target.scheme == "http" || target.scheme == "https";
  if (!target.name.empty() && scheme) return target;
  return errors::bad_request("invalid " + std::string(what) + " request " + go_quote(id));
}

// What a proxy leads to; null if no simulated pod is behind it.
struct ProxyEnd {
  Value pod;
  std::int64_t port = 80;
};

Result<ProxyEnd> find_pod_target(RequestContext& call, const ProxyTarget& target) {
  TAB_TRY(const Value pod, read_core_object(call, "pods", call.ns, target.name));
  const json::Range<Value> addresses = items_at(pod, {"status", "podIPs"});
  if (addresses.size() == 0 || addresses[0].string_at("ip").starts_with("127.")) {
    return errors::bad_request("address not allowed");
  }
  ProxyEnd end{.pod = pod};
  if (!target.port.empty()) {
    std::from_chars(target.port.data(), target.port.data() + target.port.size(), end.port);
    return end;
  }
  // Without a port it is the first that a container declares.
  for (const Value& container : items_at(pod, {"spec", "containers"})) {
    const json::Range<Value> ports = items_at(container, {"ports"});
    if (ports.size() == 0) continue;
    end.port = number_at(ports[0], {"containerPort"});
    break;
  }
  return end;
}

// Replaces a port number by the service's name for it.
Result<void> name_service_port(RequestContext& call, ProxyTarget& target) {
  int number = 0;
  const char* end = target.port.data() + target.port.size();
  const auto [stopped, error] = std::from_chars(target.port.data(), end, number);
  if (error != std::errc() || stopped != end) return {};
  TAB_TRY(const Value service, read_core_object(call, "services", call.ns, target.name));
  for (const Value& port : items_at(service, {"spec", "ports"})) {
    if (number_at(port, {"port"}) != number) continue;
    target.port = std::string(port.string_at("name"));
    return {};
  }
  return unavailable("no service port " + std::to_string(number) + " found for service " +
                     go_quote(target.name));
}

// Returns the pod behind an address of endpoints.
Value pod_of_address(RequestContext& call, const Value& address) {
  const Value* reference = address.find("targetRef");
  if (reference == nullptr || reference->string_at("kind") != "Pod") return {};
  auto pod = read_core_object(call, "pods", call.ns, reference->string_at("name"));
  return pod ? *pod : Value();
}

Result<ProxyEnd> find_service_target(RequestContext& call, ProxyTarget& target) {
  TAB_CHECK(name_service_port(call, target));
  auto endpoints = read_core_object(call, "endpoints", call.ns, target.name);
  if (!endpoints && endpoints.error().code == 404) {
    // The real server reports the service's name.
    return errors::not_found({"", "services"}, target.name);
  }
  TAB_TRY(const Value found, std::move(endpoints));
  const json::Range<Value> subsets = items_at(found, {"subsets"});
  for (const Value& subset : subsets) {
    if (items_at(subset, {"addresses"}).size() == 0) continue;
    for (const Value& port : items_at(subset, {"ports"})) {
      if (port.string_at("name") != target.port) continue;
      return ProxyEnd{pod_of_address(call, items_at(subset, {"addresses"})[0]),
                      number_at(port, {"port"})};
    }
  }
  return unavailable("no endpoints available for service " +
                     go_quote(subsets.size() == 0 ? target.name : call.name));
}

// A WebSocket starts with a GET, which must not permit what requires `create`.
Result<void> check_may_open(const RequestContext& call) {
  if (call.request.method == "POST" ||
      !call.server.gates.enabled("AuthorizePodWebsocketUpgradeCreatePermission")) {
    return {};
  }
  const auth::Decision decision = call.authorizer.authorize(creation(call));
  if (decision.verdict == auth::Verdict::kAllow) return {};
  return errors::forbidden(call.type->group_resource(), call.name, decision.reason);
}

// Runs admission for the connection. Source: upstream 1.36 apiserver pkg/endpoints/handlers/rest.go
// (ConnectResource).
Result<void> admit(RequestContext& call, Cluster& cluster) {
  if (call.query.has("dryRun")) return errors::bad_request("dryRun is not supported");
  Value options = connect_options(call);
  const registry::WriteContext context = call.write_context(false);
  registry::Registry& registry = cluster.registry;
  const registry::AdmissionRequest request{registry,
                                           context,
                                           registry::Operation::kConnect,
                                           *call.type,
                                           registry::Subresource::kNone,
                                           call.ns,
                                           call.name,
                                           options};
  TAB_CHECK(registry.mutate(request));
  return registry.validate(request);
}

}  // namespace

Result<Response> log(RequestContext& call, Cluster& cluster) {
  TAB_CHECK(check_log_options(call));
  TAB_TRY(const Value pod, read_core_object(call, "pods", call.ns, call.name));
  TAB_TRY(std::string container, chosen_container(pod, call.query.get("container")));
  const std::string node(text_at(pod, {"spec", "nodeName"}));
  if (node.empty()) {
    Response nothing;
    nothing.status = 204;
    nothing.headers = {{"Cache-Control", "no-cache, private"}};
    return nothing;
  }
  if (runs_here(call, node)) return answer_log(call, cluster, pod, container);
  return hand_over(call, {"log", node, call.ns, call.name, std::move(container)});
}

Result<Response> connect_to_pod(RequestContext& call, Cluster& cluster) {
  TAB_CHECK(admit(call, cluster));
  TAB_CHECK(check_may_open(call));
  TAB_TRY(const Value pod, read_core_object(call, "pods", call.ns, call.name));
  const std::string what(call.subresource->name);
  std::string container;
  if (what != "portforward") {
    TAB_TRY(container, chosen_container(pod, call.query.get("container")));
  }
  const std::string node(text_at(pod, {"spec", "nodeName"}));
  if (node.empty()) {
    return errors::bad_request("pod " + call.name + " does not have a host assigned");
  }
  if (runs_here(call, node)) {
    if (what == "portforward") return answer_port_forward(call, cluster, pod);
    return answer_exec(call, cluster, pod, what, container);
  }
  return hand_over(call, {what, node, call.ns, call.name, std::move(container)});
}

Result<Response> proxy(RequestContext& call, Cluster& cluster) {
  TAB_CHECK(admit(call, cluster));
  const std::string_view plural = call.type->resource->plural;
  const bool node = plural == "nodes";
  TAB_TRY(ProxyTarget target, parse_target(call.name, node               ? "node"
                                                      : plural == "pods" ? "pod"
                                                                         : "service"));
  ProxyEnd end;
  if (plural == "pods") {
    TAB_TRY(end, find_pod_target(call, target));
  }
  if (plural == "services") {
    TAB_TRY(end, find_service_target(call, target));
  }
  if (node) {
    TAB_TRY(const std::string host, address_of(call, target.name));
    if (auto answer = answer_for_kubelet(call, target.name)) return std::move(*answer);
    return hand_over(call, {"proxy", target.name, {}, {}, {}});
  }
  const auto& connect = call.server.options.connect_to_node;
  if (connect != nullptr) {
    if (auto answer = connect({"proxy", {}, call.ns, call.name, {}}, call.request)) {
      return std::move(*answer);
    }
  }
  if (!end.pod.is_null() && runs_here(call, text_at(end.pod, {"spec", "nodeName"}))) {
    return answer_proxy(call, cluster, end.pod, end.port);
  }
  return unavailable("error trying to reach service: dial tcp: connection refused");
}

}  // namespace tabernetes::server
