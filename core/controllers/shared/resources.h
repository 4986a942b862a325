// The resources that control loops read and write.
#pragma once

#include "registry/kind/dynamic_kind.h"
#include "registry/kind/strategy.h"

namespace tabernetes::controllers {

using Resource = registry::ObjectReader::Resource;

inline constexpr Resource kCertificateRequests{"certificates.k8s.io", "v1",
                                               "certificatesigningrequests"};
inline constexpr Resource kConfigMaps{"", "v1", "configmaps"};
inline constexpr Resource kEndpoints{"", "v1", "endpoints"};
inline constexpr Resource kNamespaces{"", "v1", "namespaces"};
inline constexpr Resource kNodes{"", "v1", "nodes"};
inline constexpr Resource kPersistentVolumeClaims{"", "v1", "persistentvolumeclaims"};
inline constexpr Resource kPersistentVolumes{"", "v1", "persistentvolumes"};
inline constexpr Resource kPods{"", "v1", "pods"};
inline constexpr Resource kResourceQuotas{"", "v1", "resourcequotas"};
inline constexpr Resource kSecrets{"", "v1", "secrets"};
inline constexpr Resource kServiceAccounts{"", "v1", "serviceaccounts"};
inline constexpr Resource kServices{"", "v1", "services"};
inline constexpr Resource kEndpointSlices{"discovery.k8s.io", "v1", "endpointslices"};
inline constexpr Resource kJobs{"batch", "v1", "jobs"};
inline constexpr Resource kCronJobs{"batch", "v1", "cronjobs"};
inline constexpr Resource kLeases{"coordination.k8s.io", "v1", "leases"};
inline constexpr Resource kStorageClasses{"storage.k8s.io", "v1", "storageclasses"};
inline constexpr Resource kVolumeAttachments{"storage.k8s.io", "v1", "volumeattachments"};
inline constexpr Resource kAutoscalers{"autoscaling", "v2", "horizontalpodautoscalers"};

}  // namespace tabernetes::controllers
