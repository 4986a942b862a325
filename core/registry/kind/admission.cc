#include "registry/kind/admission.h"

namespace tabernetes::registry {
namespace {

struct ResourceRow {
  std::string_view name;
  bool on = false;  // by default
};

// In the order of the enumeration.
constexpr ResourceRow kPluginRows[] = {{"AlwaysAdmit"},
                                       {"NamespaceAutoProvision"},
                                       {"NamespaceLifecycle", true},
                                       {"NamespaceExists"},
                                       {"LimitPodHardAntiAffinityTopology"},
                                       {"LimitRanger", true},
                                       {"ServiceAccount"},
                                       {"NodeRestriction"},
                                       {"TaintNodesByCondition", true},
                                       {"AlwaysPullImages"},
                                       {"ImagePolicyWebhook"},
                                       {"PodSecurity", true},
                                       {"PodNodeSelector"},
                                       {"Priority", true},
                                       {"DefaultTolerationSeconds", true},
                                       {"PodTolerationRestriction"},
                                       {"EventRateLimit"},
                                       {"ExtendedResourceToleration"},
                                       {"DefaultStorageClass", true},
                                       {"StorageObjectInUseProtection", true},
                                       {"PodGroupProtection", true},
                                       {"OwnerReferencesPermissionEnforcement"},
                                       {"PersistentVolumeClaimResize", true},
                                       {"RuntimeClass", true},
                                       {"CertificateApproval", true},
                                       {"CertificateSigning", true},
                                       {"ClusterTrustBundleAttest", true},
                                       {"CertificateSubjectRestriction", true},
                                       {"DefaultIngressClass", true},
                                       {"DenyServiceExternalIPs"},
                                       {"PodTopologyLabels", true},
                                       {"PodGroupWorkloadExists", true},
                                       {"NodeDeclaredFeatureValidator", true},
                                       {"JobValidation", true},
                                       {"PodResizeValidator", true},
                                       {"MutatingAdmissionPolicy", true},
                                       {"MutatingAdmissionWebhook", true},
                                       {"ValidatingAdmissionPolicy", true},
                                       {"ValidatingAdmissionWebhook", true},
                                       {"ResourceQuota", true},
                                       {"AlwaysDeny"}};

}  // namespace

std::optional<Plugin> plugin_named(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kPluginRows); ++i) {
    if (kPluginRows[i].name == name) return static_cast<Plugin>(i);
  }
  return std::nullopt;
}

Plugins::Plugins() : bits_(0) {
  for (std::size_t i = 0; i < std::size(kPluginRows); ++i)
    set(static_cast<Plugin>(i), kPluginRows[i].on);
}

}  // namespace tabernetes::registry
