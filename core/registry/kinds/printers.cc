#include "registry/kinds/printers.h"

namespace tabernetes::registry {
namespace {

struct Entry {
  std::string_view group;
  std::string_view kind;
  Printer print;
};

// CSIStorageCapacity has columns too, but its resource prints the default table.
constexpr Entry kPrinters[] = {
    {"", "ComponentStatus", &print_component_status},
    {"", "ConfigMap", &print_config_map},
    {"", "Endpoints", &print_endpoints},
    {"", "Event", &print_event},
    {"", "Namespace", &print_namespace},
    {"", "Node", &print_node},
    {"", "PersistentVolume", &print_persistent_volume},
    {"", "PersistentVolumeClaim", &print_persistent_volume_claim},
    {"", "Pod", &print_pod},
    {"", "PodTemplate", &print_pod_template},
    {"", "ReplicationController", &print_replication_controller},
    {"", "ResourceQuota", &print_resource_quota},
    {"", "Secret", &print_secret},
    {"", "Service", &print_service},
    {"", "ServiceAccount", &print_service_account},
    {"", "Status", &print_status},
    {"admissionregistration.k8s.io", "MutatingAdmissionPolicy", &print_mutating_admission_policy},
    {"admissionregistration.k8s.io", "MutatingAdmissionPolicyBinding",
     &print_admission_policy_binding},
    {"admissionregistration.k8s.io", "MutatingWebhookConfiguration", &print_webhook_configuration},
    {"admissionregistration.k8s.io", "ValidatingAdmissionPolicy",
     &print_validating_admission_policy},
    {"admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding",
     &print_admission_policy_binding},
    {"admissionregistration.k8s.io", "ValidatingWebhookConfiguration",
     &print_webhook_configuration},
    {"apiregistration.k8s.io", "APIService", &print_api_service},
    {"apps", "ControllerRevision", &print_controller_revision},
    {"apps", "DaemonSet", &print_daemon_set},
    {"apps", "Deployment", &print_deployment},
    {"apps", "ReplicaSet", &print_replica_set},
    {"apps", "StatefulSet", &print_stateful_set},
    {"autoscaling", "HorizontalPodAutoscaler", &print_horizontal_pod_autoscaler},
    {"autoscaling", "Scale", &print_scale},
    {"batch", "CronJob", &print_cron_job},
    {"batch", "Job", &print_job},
    {"certificates.k8s.io", "CertificateSigningRequest", &print_certificate_signing_request},
    {"certificates.k8s.io", "ClusterTrustBundle", &print_cluster_trust_bundle},
    {"certificates.k8s.io", "PodCertificateRequest", &print_pod_certificate_request},
    {"coordination.k8s.io", "Lease", &print_lease},
    {"coordination.k8s.io", "LeaseCandidate", &print_lease_candidate},
    {"discovery.k8s.io", "EndpointSlice", &print_endpoint_slice},
    {"events.k8s.io", "Event", &print_event},
    {"flowcontrol.apiserver.k8s.io", "FlowSchema", &print_flow_schema},
    {"flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration",
     &print_priority_level_configuration},
    {"internal.apiserver.k8s.io", "StorageVersion", &print_storage_version},
    {"networking.k8s.io", "IPAddress", &print_ip_address},
    {"networking.k8s.io", "Ingress", &print_ingress},
    {"networking.k8s.io", "IngressClass", &print_ingress_class},
    {"networking.k8s.io", "NetworkPolicy", &print_network_policy},
    {"networking.k8s.io", "ServiceCIDR", &print_service_cidr},
    {"node.k8s.io", "RuntimeClass", &print_runtime_class},
    {"policy", "PodDisruptionBudget", &print_pod_disruption_budget},
    {"rbac.authorization.k8s.io", "ClusterRoleBinding", &print_role_binding},
    {"rbac.authorization.k8s.io", "RoleBinding", &print_role_binding},
    {"resource.k8s.io", "DeviceClass", &print_name_and_age},
    {"resource.k8s.io", "DeviceTaintRule", &print_device_taint_rule},
    {"resource.k8s.io", "ResourceClaim", &print_resource_claim},
    {"resource.k8s.io", "ResourceClaimTemplate", &print_name_and_age},
    {"resource.k8s.io", "ResourcePoolStatusRequest", &print_resource_pool_status_request},
    {"resource.k8s.io", "ResourceSlice", &print_resource_slice},
    {"scheduling.k8s.io", "PodGroup", &print_pod_group},
    {"scheduling.k8s.io", "PriorityClass", &print_priority_class},
    {"scheduling.k8s.io", "Workload", &print_name_and_age},
    {"storage.k8s.io", "CSIDriver", &print_csi_driver},
    {"storage.k8s.io", "CSINode", &print_csi_node},
    {"storage.k8s.io", "StorageClass", &print_storage_class},
    {"storage.k8s.io", "VolumeAttachment", &print_volume_attachment},
    {"storage.k8s.io", "VolumeAttributesClass", &print_volume_attributes_class},
    {"storagemigration.k8s.io", "StorageVersionMigration", &print_storage_version_migration},
};

}  // namespace

Printer find_printer(std::string_view group, std::string_view kind) {
  for (const Entry& entry : kPrinters) {
    if (entry.kind == kind && entry.group == group) return entry.print;
  }
  return nullptr;
}

}  // namespace tabernetes::registry
