// Services, their endpoints, ingresses, policies, addresses.
// Source: upstream 1.36 pkg/apis/core/validation, networking/validation, discovery/validation.

#include "registry/validation/kind_rules.h"

namespace tabernetes::registry::validation {
namespace {

constexpr std::string_view kService = R"(
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
)";

constexpr std::string_view kEndpoints = R"(
?~subsets
 subsets[]
  ?!addresses
   ?!notReadyAddresses
    . need "must specify `addresses` or `notReadyAddresses`"
  addresses[] &endpoint-address
  notReadyAddresses[] &endpoint-address
  ports[]
   ?several
    name required
   name opt is:label
   port range:1-65535
   protocol required enum:SCTP,TCP,UDP
   appProtocol given is:qualified
)";

constexpr std::string_view kEndpointSlice = R"(
addressType required enum:FQDN,IPv4,IPv6
ports max:20000
 []
  name opt is:label
  name distinct
  protocol present enum:SCTP,TCP,UDP
  appProtocol given is:qualified
?~endpoints
 endpoints max:1000
  []
   addresses required "must contain at least 1 address"
   addresses max:100
   ?/addressType=IPv4
    addresses @slice-ipv4
   ?/addressType=IPv6
    addresses @slice-ipv6
   ?/addressType=FQDN
    addresses[] required is:fqdn
   nodeName given is:subdomain
   deprecatedTopology max:16 @labels
   hostname given is:label
   hints
    forZones max:8
     [].name distinct is:label-value
    forNodes max:8
     [].name distinct is:subdomain
on update
 addressType immutable
)";

constexpr std::string_view kIngress = R"(
on create update
 spec
  ?!rules
   ?!defaultBackend
    . bad=null "either `defaultBackend` or `rules` must be specified"
  defaultBackend given &ingress-backend
  rules[]
   host opt is:rule-host
   http given
    paths required
    paths[]
     pathType present "pathType must be specified"
     ?+pathType
      ?pathType=Exact|Prefix
       path @ingress-path
      ?pathType=ImplementationSpecific
       path opt @absolute-path
      pathType enum:Exact,ImplementationSpecific,Prefix
      backend &ingress-backend
  tls[]
   hosts[] is:host
   secretName opt is:subdomain
  ingressClassName given is:subdomain
 on create
  @ingress-class-annotation
on status
 status.loadBalancer.ingress[]
  ip opt is:ip
  hostname opt is:balancer-host
)";

constexpr std::string_view kIngressClass = R"(
on update
 spec.controller immutable=""
spec
 controller maxlen:250 required is:prefixed-path
 parameters given
  &local-reference
  scope present
  ?scope=Namespace
   namespace present "`parameters.scope` is set to 'Namespace'" is:label
  ?scope=Cluster
   namespace forbid "`parameters.scope` is set to 'Cluster'"
  scope given enum:Cluster,Namespace
)";

constexpr std::string_view kNetworkPolicy = R"(
spec
 podSelector &selector
 ingress[]
  ports[] &policy-port
  from[] &policy-peer
 egress[]
  ports[] &policy-port
  to[] &policy-peer
 ?policyTypes.2
  policyTypes bad "may not specify more than two policyTypes"
 ?!policyTypes.2
  policyTypes[] enum:Ingress,Egress
)";

constexpr std::string_view kIpAddress = R"(
on create update
 @ip-address-name
 spec
  parentRef required
   group opt is:subdomain
   resource required is:segment
   name required is:segment
   namespace opt is:segment
on update
 spec.parentRef immutable=#networking.v1.ParentReference
)";

constexpr std::string_view kServiceCidr = R"(
on create
 spec.cidrs required "at least one CIDR required" @cidrs
on update
 @cidrs-change
)";

}  // namespace

const KindRules kNetworkRules[] = {
    {"", "Service", kService},
    {"", "Endpoints", kEndpoints},
    {"discovery.k8s.io", "EndpointSlice", kEndpointSlice},
    {"networking.k8s.io", "Ingress", kIngress},
    {"networking.k8s.io", "IngressClass", kIngressClass},
    {"networking.k8s.io", "NetworkPolicy", kNetworkPolicy},
    {"networking.k8s.io", "IPAddress", kIpAddress},
    {"networking.k8s.io", "ServiceCIDR", kServiceCidr},
    {},
};

}  // namespace tabernetes::registry::validation
