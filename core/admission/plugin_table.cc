#include <algorithm>

#include "admission/plugin.h"
#include "admission/plugins.h"

namespace tabernetes::admission {
namespace {

using enum registry::Operation;

constexpr Target kCertificateRequests[] = {{"certificates.k8s.io", "certificatesigningrequests"}};
constexpr Target kEvents[] = {{"", "events"}};
constexpr Target kNodes[] = {{"", "nodes"}};
constexpr Target kPods[] = {{"", "pods"}};
constexpr Target kPodsAndEphemeralContainers[] = {{"", "pods"},
                                                  {"", "pods", "ephemeralcontainers"}};
constexpr Target kResizes[] = {{"", "pods", "resize"}};
constexpr Target kResizablePods[] = {{"", "pods"}, {"", "pods", "resize"}};
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
constexpr Target kServices[] = {{"", "services"}};
constexpr Target kApprovals[] = {{"certificates.k8s.io", "certificatesigningrequests", "approval"}};
constexpr Target kSignings[] = {{"certificates.k8s.io", "certificatesigningrequests", "status"}};
constexpr Target kTrustBundles[] = {{"certificates.k8s.io", "clustertrustbundles"}};
constexpr Target kIngresses[] = {{"networking.k8s.io", "ingresses"}};

// Source: upstream 1.36 pkg/kubeapiserver/options/plugins.go (AllOrderedPlugins,
// DefaultOffAdmissionPlugins). A cluster that runs no serviceaccount-controller has ServiceAccount
// off (server/cluster/admission_plugins.h).
constexpr Plugin kPlugins[] = {
    {.name = "AlwaysAdmit"},
    {.name = "NamespaceAutoProvision", .operations = {kCreate}, .mutate = &provide_namespace},
    {.name = "NamespaceLifecycle",
     .on = true,
     .operations = {kCreate, kDelete},
     .loads = true,
     .mutate = &check_namespace},
    {.name = "NamespaceExists",
     .operations = {kCreate, kUpdate, kDelete},
     .validate = &check_namespace_exists},
    {.name = "LimitPodHardAntiAffinityTopology",
     .operations = {kCreate, kUpdate},
     .targets = kPods,
     .validate = &check_anti_affinity},
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
    {.name = "NodeRestriction",
     .operations = {kCreate, kUpdate, kDelete},
     .mutate = &restrict_node},
    {.name = "TaintNodesByCondition",
     .on = true,
     .operations = {kCreate},
     .targets = kNodes,
     .loads = true,
     .mutate = &taint_new_node},
    {.name = "AlwaysPullImages",
     .operations = {kCreate, kUpdate},
     .targets = kPods,
     .mutate = &pull_always,
     .validate = &check_pulls_always},
    {.name = "ImagePolicyWebhook",
     .operations = {kCreate, kUpdate},
     .targets = kPodsAndEphemeralContainers,
     .validate = &check_image_policy,
     .asks = true},
    {.name = "PodSecurity",
     .on = true,
     .operations = {kCreate, kUpdate},
     .targets = kPodSecurityTargets,
     .validate = &check_pod_security},
    {.name = "PodNodeSelector",
     .operations = {kCreate},
     .targets = kPods,
     .mutate = &set_node_selector,
     .validate = &set_node_selector},
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
    {.name = "PodTolerationRestriction",
     .operations = {kCreate, kUpdate},
     .targets = kPods,
     .mutate = &add_tolerations,
     .validate = &check_tolerations},
    {.name = "EventRateLimit",
     .operations = {kCreate, kUpdate},
     .targets = kEvents,
     .validate = &check_event_rate},
    {.name = "ExtendedResourceToleration",
     .operations = {kCreate, kUpdate},
     .targets = kPods,
     .mutate = &tolerate_extended_resources},
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
    {.name = "OwnerReferencesPermissionEnforcement",
     .operations = {kCreate, kUpdate},
     .validate = &check_owner_permissions},
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
    {.name = "CertificateApproval",
     .on = true,
     .operations = {kUpdate},
     .targets = kApprovals,
     .validate = &check_approval},
    {.name = "CertificateSigning",
     .on = true,
     .operations = {kUpdate},
     .targets = kSignings,
     .validate = &check_signing},
    {.name = "ClusterTrustBundleAttest",
     .on = true,
     .operations = {kCreate, kUpdate},
     .targets = kTrustBundles,
     .validate = &check_attestation},
    {.name = "CertificateSubjectRestriction",
     .on = true,
     .operations = {kCreate},
     .targets = kCertificateRequests,
     .validate = &check_certificate_subject},
    {.name = "DefaultIngressClass",
     .on = true,
     .operations = {kCreate},
     .targets = kIngresses,
     .loads = true,
     .mutate = &set_ingress_class},
    {.name = "DenyServiceExternalIPs",
     .operations = {kCreate, kUpdate},
     .targets = kServices,
     .validate = &deny_external_ips},
    {.name = "PodTopologyLabels",
     .on = true,
     .operations = {kCreate},
     .targets = kPlacedPods,
     .mutate = &copy_topology_labels},
    // They look at PodGroups, which are not served: like the gate GenericWorkload, they are there
    // and do nothing. So is PodGroupProtection.
    {.name = "PodGroupWorkloadExists", .on = true},
    {.name = "NodeDeclaredFeatureValidator",
     .on = true,
     .operations = {kUpdate},
     .targets = kResizablePods,
     .validate = &check_declared_features},
    {.name = "JobValidation", .on = true},
    {.name = "PodResizeValidator",
     .on = true,
     .operations = {kUpdate},
     .targets = kResizes,
     .validate = &check_resize},
    {.name = "MutatingAdmissionPolicy",
     .on = true,
     .operations = {kCreate, kUpdate, kConnect},
     .configured_by = {"admissionregistration.k8s.io", "v1", "mutatingadmissionpolicybindings"},
     .mutate = &apply_policies},
    {.name = "MutatingAdmissionWebhook",
     .on = true,
     .operations = {kCreate, kUpdate, kDelete, kConnect},
     .configured_by = {"admissionregistration.k8s.io", "v1", "mutatingwebhookconfigurations"},
     .mutate = &ask_mutating_webhooks},
    {.name = "ValidatingAdmissionPolicy",
     .on = true,
     .operations = {kCreate, kUpdate, kDelete, kConnect},
     .configured_by = {"admissionregistration.k8s.io", "v1", "validatingadmissionpolicybindings"},
     .validate = &check_policies},
    {.name = "ValidatingAdmissionWebhook",
     .on = true,
     .operations = {kCreate, kUpdate, kDelete, kConnect},
     .configured_by = {"admissionregistration.k8s.io", "v1", "validatingwebhookconfigurations"},
     .validate = &ask_validating_webhooks},
    {.name = "ResourceQuota",
     .on = true,
     .operations = {kCreate, kUpdate},
     .configured_by = {"", "v1", "resourcequotas"},
     .validate = &check_quotas},
    {.name = "AlwaysDeny",
     .operations = {kCreate, kUpdate, kDelete, kConnect},
     .mutate = &deny_everything,
     .validate = &deny_everything},
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
