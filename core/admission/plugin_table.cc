#include <algorithm>

#include "admission/plugin.h"
#include "admission/plugins.h"

namespace tabernetes::admission {
namespace {

using enum registry::Operation;

constexpr Target kNodes[] = {{"", "nodes"}};
constexpr Target kPods[] = {{"", "pods"}};
constexpr Target kPodsAndEphemeralContainers[] = {{"", "pods"},
                                                  {"", "pods", "ephemeralcontainers"}};
constexpr Target kPlacedPods[] = {{"", "pods"}, {"", "pods", "binding"}};
constexpr Target kLimited[] = {
    {"", "pods"}, {"", "pods", "resize"}, {"", "persistentvolumeclaims"}};
constexpr Target kClaims[] = {{"", "persistentvolumeclaims"}};
// The resources that PodSecurity checks: namespaces, pods with two subresources, pod templates.
constexpr Target kPodSecurityTargets[] = {{"", "namespaces"},
                                          {"", "pods"},
                                          {"", "pods", "ephemeralcontainers"},
                                          {"", "pods", "resize"},
                                          {"", "podtemplates"},
                                          {"", "replicationcontrollers"},
                                          {"apps", "daemonsets"},
                                          {"apps", "deployments"},
                                          {"apps", "replicasets"},
                                          {"apps", "statefulsets"},
                                          {"batch", "cronjobs"},
                                          {"batch", "jobs"}};
constexpr Target kProtected[] = {{"", "persistentvolumeclaims"},
                                 {"", "persistentvolumes"},
                                 {"storage.k8s.io", "volumeattributesclasses"}};
constexpr Target kIngresses[] = {{"networking.k8s.io", "ingresses"}};

// Source: upstream 1.36 pkg/kubeapiserver/options/plugins.go (AllOrderedPlugins,
// DefaultOffAdmissionPlugins). A cluster that runs no serviceaccount-controller has ServiceAccount
// off (server/cluster/admission_plugins.h).
constexpr Plugin kPlugins[] = {
    {.name = "AlwaysAdmit"},
    {.name = "NamespaceAutoProvision"},
    {.name = "NamespaceLifecycle",
     .on = true,
     .operations = {kCreate, kDelete},
     .loads = true,
     .mutate = &check_namespace},
    {.name = "NamespaceExists"},
    {.name = "LimitPodHardAntiAffinityTopology"},
    {.name = "LimitRanger",
     .on = true,
     .operations = {kCreate, kUpdate},
     .targets = kLimited,
     .configured_by = {"", "v1", "limitranges"},
     .mutate = &set_limit_defaults,
     .validate = &check_limits},
    {.name = "ServiceAccount",
     .on = true,
     .operations = {kCreate, kUpdate},
     .targets = kPodsAndEphemeralContainers,
     .mutate = &set_service_account,
     .validate = &check_service_account},
    {.name = "NodeRestriction"},
    {.name = "TaintNodesByCondition",
     .on = true,
     .operations = {kCreate},
     .targets = kNodes,
     .loads = true,
     .mutate = &taint_new_node},
    {.name = "AlwaysPullImages"},
    {.name = "ImagePolicyWebhook"},
    {.name = "PodSecurity",
     .on = true,
     .operations = {kCreate, kUpdate},
     .targets = kPodSecurityTargets,
     .validate = &check_pod_security},
    {.name = "PodNodeSelector"},
    {.name = "Priority",
     .on = true,
     .operations = {kCreate, kUpdate},
     .targets = kPods,
     .loads = true,
     .mutate = &set_priority},
    {.name = "DefaultTolerationSeconds",
     .on = true,
     .operations = {kCreate, kUpdate},
     .targets = kPods,
     .loads = true,
     .mutate = &tolerate_node_failures},
    {.name = "PodTolerationRestriction"},
    {.name = "EventRateLimit"},
    {.name = "ExtendedResourceToleration"},
    {.name = "DefaultStorageClass",
     .on = true,
     .operations = {kCreate},
     .targets = kClaims,
     .loads = true,
     .mutate = &set_storage_class},
    {.name = "StorageObjectInUseProtection",
     .on = true,
     .operations = {kCreate},
     .targets = kProtected,
     .loads = true,
     .mutate = &protect_in_use},
    {.name = "PodGroupProtection", .on = true},
    {.name = "OwnerReferencesPermissionEnforcement"},
    {.name = "PersistentVolumeClaimResize",
     .on = true,
     .operations = {kUpdate},
     .targets = kClaims,
     .validate = &check_claim_size},
    {.name = "RuntimeClass",
     .on = true,
     .operations = {kCreate},
     .targets = kPods,
     .loads = true,
     .mutate = &apply_runtime_class,
     .validate = &check_overhead},
    {.name = "CertificateApproval", .on = true},
    {.name = "CertificateSigning", .on = true},
    {.name = "ClusterTrustBundleAttest", .on = true},
    {.name = "CertificateSubjectRestriction", .on = true},
    {.name = "DefaultIngressClass",
     .on = true,
     .operations = {kCreate},
     .targets = kIngresses,
     .loads = true,
     .mutate = &set_ingress_class},
    {.name = "DenyServiceExternalIPs"},
    {.name = "PodTopologyLabels",
     .on = true,
     .operations = {kCreate},
     .targets = kPlacedPods,
     .mutate = &copy_topology_labels},
    {.name = "PodGroupWorkloadExists", .on = true},
    {.name = "NodeDeclaredFeatureValidator", .on = true},
    {.name = "JobValidation", .on = true},
    {.name = "PodResizeValidator", .on = true},
    {.name = "MutatingAdmissionPolicy", .on = true},
    {.name = "MutatingAdmissionWebhook", .on = true},
    {.name = "ValidatingAdmissionPolicy",
     .on = true,
     .operations = {kCreate, kUpdate, kDelete, kConnect},
     .configured_by = {"admissionregistration.k8s.io", "v1", "validatingadmissionpolicybindings"},
     .validate = &check_policies},
    {.name = "ValidatingAdmissionWebhook", .on = true},
    {.name = "ResourceQuota",
     .on = true,
     .operations = {kCreate, kUpdate},
     .configured_by = {"", "v1", "resourcequotas"},
     .validate = &check_quotas},
    {.name = "AlwaysDeny"},
};
static_assert(std::size(kPlugins) <= 64, "PluginSet has a bit for each");

}  // namespace

std::span<const Plugin> all_plugins() { return kPlugins; }

const Plugin* find_plugin(std::string_view name) {
  const auto* found = std::find_if(std::begin(kPlugins), std::end(kPlugins),
                                   [&](const Plugin& plugin) { return plugin.name == name; });
  return found == std::end(kPlugins) ? nullptr : found;
}

PluginSet::PluginSet() {
  for (const Plugin& plugin : kPlugins) set(plugin.name, plugin.on);
}

bool PluginSet::has(std::string_view name) const {
  const Plugin* plugin = find_plugin(name);
  return plugin != nullptr && (bits_ >> (plugin - kPlugins) & 1) != 0;
}

void PluginSet::set(std::string_view name, bool on) {
  const Plugin* plugin = find_plugin(name);
  if (plugin == nullptr) return;
  const std::uint64_t bit = std::uint64_t{1} << (plugin - kPlugins);
  bits_ = on ? bits_ | bit : bits_ & ~bit;
}

}  // namespace tabernetes::admission
