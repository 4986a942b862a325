// The rows of all kinds that differ from the default. Source: spec/lifecycle.md 1.3, 1.4, 2.3 to
// 2.5, 3.3, 3.5; spec/rest.md 4.9.

#include "registry/kinds/namespace.h"
#include "registry/kinds/pod.h"
#include "registry/strategy.h"

namespace tabernetes::registry {
namespace {

constexpr Strategy kDefaultStrategy{};

constexpr std::string_view kJobWarning =
    "child pods are preserved by default when jobs are deleted; set "
    "propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this "
    "warning";

constexpr Strategy kStrategies[] = {
    // core
    {.group = "",
     .kind = "Namespace",
     .returns_deleted_object = true,
     .initial_status = R"({"phase":"Active"})",
     .prepare_for_create = &kinds::prepare_namespace_for_create,
     .prepare_for_update = &kinds::prepare_namespace_for_update,
     .is_protected = &kinds::is_immortal_namespace,
     .holds_deletion = &kinds::namespace_holds_deletion,
     .start_deletion = &kinds::start_namespace_deletion},
    {.group = "",
     .kind = "Pod",
     .generation = Generation::kSpec,
     .returns_deleted_object = true,
     .graceful_deletion = true,
     .initial_status = R"({"phase":"Pending"})",
     .prepare_for_create = &kinds::prepare_pod_for_create},
    {.group = "",
     .kind = "Service",
     .allow_create_on_update = true,
     .returns_deleted_object = true,
     .initial_status = R"({"loadBalancer":{}})"},
    {.group = "",
     .kind = "PersistentVolume",
     .returns_deleted_object = true,
     .initial_status = R"({"phase":"Pending"})"},
    {.group = "",
     .kind = "PersistentVolumeClaim",
     .returns_deleted_object = true,
     .initial_status = R"({"phase":"Pending"})"},
    {.group = "", .kind = "ServiceAccount", .returns_deleted_object = true},
    {.group = "", .kind = "ResourceQuota", .returns_deleted_object = true},
    {.group = "",
     .kind = "PodTemplate",
     .generation = Generation::kTemplate,
     .returns_deleted_object = true},
    {.group = "", .kind = "Node", .keeps_status_on_create = true},
    {.group = "",
     .kind = "ReplicationController",
     .generation = Generation::kSpec,
     .orphans_by_default = true},
    {.group = "", .kind = "Endpoints", .allow_create_on_update = true},
    {.group = "", .kind = "Event", .allow_create_on_update = true},
    {.group = "", .kind = "LimitRange", .allow_create_on_update = true},
    {.group = "events.k8s.io", .kind = "Event", .allow_create_on_update = true},
    // apps, batch, autoscaling, policy
    {.group = "apps",
     .kind = "Deployment",
     .generation = Generation::kSpecOrAnnotations,
     .status_keeps_labels = true},
    {.group = "apps", .kind = "ReplicaSet", .generation = Generation::kSpec},
    {.group = "apps", .kind = "StatefulSet", .generation = Generation::kSpec},
    {.group = "apps", .kind = "DaemonSet", .generation = Generation::kSpec},
    {.group = "batch",
     .kind = "Job",
     .generation = Generation::kSpec,
     .orphans_by_default = true,
     .warning_without_policy = kJobWarning},
    {.group = "batch", .kind = "CronJob", .generation = Generation::kSpec},
    {.group = "policy",
     .kind = "PodDisruptionBudget",
     .generation = Generation::kSpec,
     .allow_unconditional_update = false},
    // networking, discovery
    {.group = "networking.k8s.io", .kind = "NetworkPolicy", .generation = Generation::kSpec},
    {.group = "networking.k8s.io", .kind = "Ingress", .generation = Generation::kSpec},
    {.group = "networking.k8s.io", .kind = "IngressClass", .generation = Generation::kSpec},
    {.group = "networking.k8s.io", .kind = "ServiceCIDR", .status_keeps_metadata = true},
    {.group = "discovery.k8s.io", .kind = "EndpointSlice", .generation = Generation::kEverything},
    // rbac
    {.group = "rbac.authorization.k8s.io", .kind = "Role", .allow_create_on_update = true},
    {.group = "rbac.authorization.k8s.io", .kind = "RoleBinding", .allow_create_on_update = true},
    {.group = "rbac.authorization.k8s.io", .kind = "ClusterRole", .allow_create_on_update = true},
    {.group = "rbac.authorization.k8s.io",
     .kind = "ClusterRoleBinding",
     .allow_create_on_update = true},
    // storage, scheduling, node, coordination
    {.group = "storage.k8s.io", .kind = "StorageClass", .returns_deleted_object = true},
    {.group = "storage.k8s.io",
     .kind = "CSIDriver",
     .generation = Generation::kSpecFromZero,
     .allow_unconditional_update = false,
     .returns_deleted_object = true},
    {.group = "storage.k8s.io",
     .kind = "CSINode",
     .allow_unconditional_update = false,
     .returns_deleted_object = true},
    {.group = "storage.k8s.io", .kind = "CSIStorageCapacity", .allow_unconditional_update = false},
    {.group = "storage.k8s.io",
     .kind = "VolumeAttachment",
     .allow_unconditional_update = false,
     .returns_deleted_object = true,
     .status_keeps_metadata = true},
    {.group = "storage.k8s.io", .kind = "VolumeAttributesClass", .returns_deleted_object = true},
    {.group = "scheduling.k8s.io", .kind = "PriorityClass", .generation = Generation::kFixed},
    {.group = "node.k8s.io",
     .kind = "RuntimeClass",
     .allow_create_on_update = true,
     .allow_unconditional_update = false},
    {.group = "coordination.k8s.io",
     .kind = "Lease",
     .allow_create_on_update = true,
     .allow_unconditional_update = false},
    // dynamic resource allocation
    {.group = "resource.k8s.io",
     .kind = "DeviceClass",
     .generation = Generation::kSpec,
     .returns_deleted_object = true},
    {.group = "resource.k8s.io",
     .kind = "ResourceClaim",
     .returns_deleted_object = true,
     .status_keeps_metadata = true},
    {.group = "resource.k8s.io", .kind = "ResourceClaimTemplate", .returns_deleted_object = true},
    {.group = "resource.k8s.io",
     .kind = "ResourceSlice",
     .generation = Generation::kSpec,
     .returns_deleted_object = true},
    // flow control, admission, extension
    {.group = "flowcontrol.apiserver.k8s.io",
     .kind = "FlowSchema",
     .generation = Generation::kSpec},
    {.group = "flowcontrol.apiserver.k8s.io",
     .kind = "PriorityLevelConfiguration",
     .generation = Generation::kSpec},
    {.group = "admissionregistration.k8s.io",
     .kind = "ValidatingWebhookConfiguration",
     .generation = Generation::kWebhooks,
     .allow_unconditional_update = false},
    {.group = "admissionregistration.k8s.io",
     .kind = "MutatingWebhookConfiguration",
     .generation = Generation::kWebhooks,
     .allow_unconditional_update = false},
    {.group = "admissionregistration.k8s.io",
     .kind = "ValidatingAdmissionPolicy",
     .generation = Generation::kSpec,
     .allow_unconditional_update = false,
     .status_keeps_metadata = true},
    {.group = "admissionregistration.k8s.io",
     .kind = "ValidatingAdmissionPolicyBinding",
     .generation = Generation::kSpec,
     .allow_unconditional_update = false},
    {.group = "admissionregistration.k8s.io",
     .kind = "MutatingAdmissionPolicy",
     .generation = Generation::kSpec,
     .allow_unconditional_update = false},
    {.group = "admissionregistration.k8s.io",
     .kind = "MutatingAdmissionPolicyBinding",
     .generation = Generation::kSpec,
     .allow_unconditional_update = false},
    {.group = "apiextensions.k8s.io",
     .kind = "CustomResourceDefinition",
     .generation = Generation::kSpec,
     .allow_unconditional_update = false},
    {.group = "apiregistration.k8s.io", .kind = "APIService", .allow_unconditional_update = false},
};

}  // namespace

const Strategy& find_strategy(std::string_view group, std::string_view kind) {
  for (const Strategy& strategy : kStrategies) {
    if (strategy.kind == kind && strategy.group == group) return strategy;
  }
  return kDefaultStrategy;
}

}  // namespace tabernetes::registry
