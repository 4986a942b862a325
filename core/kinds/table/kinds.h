// The built-in kinds, one per line. A kind without a row has the default behaviour.
#pragma once

#include <span>
#include <string_view>

#include "kinds/row/kind.h"

#define TAB_BUILT_IN_KINDS(KIND)              \
  KIND(kBindingKind)                          \
  KIND(kComponentStatusKind)                  \
  KIND(kConfigMapKind)                        \
  KIND(kEndpointsKind)                        \
  KIND(kEventKind)                            \
  KIND(kLimitRangeKind)                       \
  KIND(kNamespaceKind)                        \
  KIND(kNodeKind)                             \
  KIND(kPersistentVolumeClaimKind)            \
  KIND(kPersistentVolumeKind)                 \
  KIND(kPodKind)                              \
  KIND(kPodTemplateKind)                      \
  KIND(kReplicationControllerKind)            \
  KIND(kResourceQuotaKind)                    \
  KIND(kSecretKind)                           \
  KIND(kServiceAccountKind)                   \
  KIND(kServiceKind)                          \
  KIND(kStatusKind)                           \
  KIND(kAPIServiceKind)                       \
  KIND(kControllerRevisionKind)               \
  KIND(kDaemonSetKind)                        \
  KIND(kDeploymentKind)                       \
  KIND(kReplicaSetKind)                       \
  KIND(kStatefulSetKind)                      \
  KIND(kEventsEventKind)                      \
  KIND(kHorizontalPodAutoscalerKind)          \
  KIND(kScaleKind)                            \
  KIND(kCronJobKind)                          \
  KIND(kJobKind)                              \
  KIND(kCertificateSigningRequestKind)        \
  KIND(kClusterTrustBundleKind)               \
  KIND(kPodCertificateRequestKind)            \
  KIND(kIngressClassKind)                     \
  KIND(kIngressKind)                          \
  KIND(kIPAddressKind)                        \
  KIND(kNetworkPolicyKind)                    \
  KIND(kServiceCIDRKind)                      \
  KIND(kPodDisruptionBudgetKind)              \
  KIND(kClusterRoleBindingKind)               \
  KIND(kClusterRoleKind)                      \
  KIND(kRoleBindingKind)                      \
  KIND(kRoleKind)                             \
  KIND(kCSIDriverKind)                        \
  KIND(kCSINodeKind)                          \
  KIND(kCSIStorageCapacityKind)               \
  KIND(kStorageClassKind)                     \
  KIND(kVolumeAttachmentKind)                 \
  KIND(kVolumeAttributesClassKind)            \
  KIND(kMutatingAdmissionPolicyKind)          \
  KIND(kMutatingAdmissionPolicyBindingKind)   \
  KIND(kMutatingWebhookConfigurationKind)     \
  KIND(kValidatingAdmissionPolicyKind)        \
  KIND(kValidatingAdmissionPolicyBindingKind) \
  KIND(kValidatingWebhookConfigurationKind)   \
  KIND(kCustomResourceDefinitionKind)         \
  KIND(kPriorityClassKind)                    \
  KIND(kPodGroupKind)                         \
  KIND(kWorkloadKind)                         \
  KIND(kLeaseKind)                            \
  KIND(kLeaseCandidateKind)                   \
  KIND(kRuntimeClassKind)                     \
  KIND(kEndpointSliceKind)                    \
  KIND(kDeviceClassKind)                      \
  KIND(kDeviceTaintRuleKind)                  \
  KIND(kResourceClaimKind)                    \
  KIND(kResourceClaimTemplateKind)            \
  KIND(kResourcePoolStatusRequestKind)        \
  KIND(kResourceSliceKind)                    \
  KIND(kFlowSchemaKind)                       \
  KIND(kPriorityLevelConfigurationKind)       \
  KIND(kStorageVersionKind)                   \
  KIND(kStorageVersionMigrationKind)

namespace tabernetes::registry::kinds {

#define TAB_DECLARE_KIND(name) extern const Kind name;
TAB_BUILT_IN_KINDS(TAB_DECLARE_KIND)
#undef TAB_DECLARE_KIND

std::span<const Kind* const> all_kinds();

// Returns the row of a kind; an empty one if it has none.
const Kind& find_kind(std::string_view group, std::string_view kind);

}  // namespace tabernetes::registry::kinds
