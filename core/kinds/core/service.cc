// Service. Source: upstream 1.36 pkg/apis/core/validation.
#include <string>
#include <vector>

#include "base/text/parts.h"
#include "json/access.h"
#include "kinds/core/service_allocation.h"
#include "kinds/row/kind.h"
#include "kinds/shared/addresses.h"
#include "kinds/shared/labels.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"
#include "registry/kind/warnings.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kServiceRules, R"(
on create update
 on update
  @service-change
 @service-annotations
 spec
  ?clusterIP!=None
   ?type!=ExternalName
    ports required
  ?clusterIP=None
   ?type=LoadBalancer
    clusterIPs[] bad "may not be set to 'None' for LoadBalancer services"
   ?type=NodePort
    clusterIPs[] bad "may not be set to 'None' for NodePort services"
  ?type=ExternalName
   clusterIPs forbid "may not be set for ExternalName services"
   ipFamilies forbid "may not be set for ExternalName services"
   ipFamilyPolicy forbid "may not be set for ExternalName services"
   externalName required is:cname
  ports[]
   ?several
    name required
   name opt is:label distinct
   port range:1-65535
   protocol required enum:SCTP,TCP,UDP
   targetPort @port
   appProtocol given is:qualified
  selector @labels
  sessionAffinity required enum:ClientIP,None
  ?sessionAffinity=ClientIP
   sessionAffinityConfig.clientIP.timeoutSeconds ge:1 "must be greater than 0 and less than 86400"
   sessionAffinityConfig.clientIP.timeoutSeconds le:86400 "must be greater than 0 and less than 86400"
  ?sessionAffinity=None
   sessionAffinityConfig forbid "must not be set when session affinity is None"
  ?type!=ExternalName
   @service-addresses
  externalIPs[] is:external-ip
  type required enum:ClusterIP,ExternalName,LoadBalancer,NodePort
  ?type=ClusterIP
   ports[].nodePort forbid "may not be used when `type` is 'ClusterIP'"
  @service-ports
  ?loadBalancerSourceRanges
   ?type!=LoadBalancer
    loadBalancerSourceRanges>LoadBalancerSourceRanges deny "may only be used when `type` is 'LoadBalancer'"
   loadBalancerSourceRanges>LoadBalancerSourceRanges[] @source-range
  ?type!=LoadBalancer
   allocateLoadBalancerNodePorts forbid "may only be used when `type` is 'LoadBalancer'"
   loadBalancerClass forbid "may only be used when `type` is 'LoadBalancer'"
  ?type=LoadBalancer
   loadBalancerClass given is:qualified
   &external-policy
   ?externalTrafficPolicy=Local
    healthCheckNodePort required range:1-65535
   ?externalTrafficPolicy!=Local
    &no-health-port
  ?type=NodePort
   &external-policy
  ?type=ClusterIP
   ?externalIPs
    &external-policy
   ?!externalIPs
    &no-external-policy
  ?type!=ClusterIP|LoadBalancer|NodePort
   &no-external-policy
  ?type!=LoadBalancer
   &no-health-port
  ?type=ClusterIP|NodePort|LoadBalancer
   internalTrafficPolicy required
  internalTrafficPolicy given enum:Cluster,Local
  trafficDistribution given enum:PreferClose,PreferSameZone,PreferSameNode
on status
 ?spec.type!=LoadBalancer
  status.loadBalancer.ingress forbid "may only be used when `spec.type` is 'LoadBalancer'"
 ?spec.type=LoadBalancer
  status.loadBalancer.ingress[]
   ip opt is:ip
   ?ip
    ipMode required "must be specified when `ip` is set" enum:Proxy,VIP
   ?!ip
    ipMode forbid "may not be specified when `ip` is not set"
   hostname opt is:balancer-host
)");

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

// Returns "80/TCP,443:30443/TCP".
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

}  // namespace

extern const Kind kServiceKind{.group = "",
                               .kind = "Service",
                               .strategy = {.names = {.format = NameFormat::kLabel,
                                                      .relaxed_by = "RelaxedServiceNameValidation"},
                                            .meta_passes = {"CF", "UF", "UF"},
                                            .etcd_path = "services/specs",
                                            .allow_create_on_update = true,
                                            .returns_deleted_object = true,
                                            .initial_status = R"({"loadBalancer":{}})",
                                            .set_defaults = &set_service_defaults,
                                            .prepare_for_create = &prepare_service_for_create,
                                            .prepare_for_update = &prepare_service_for_update,
                                            .warnings = &warn_of_service,
                                            .status_warnings = &warn_of_balancer_status,
                                            .allocate = &allocate_service,
                                            .stored = &service_stored},
                               .rules = &kServiceRules,
                               .print = &print_service};

}  // namespace tabernetes::registry::kinds
