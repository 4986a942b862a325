#include <catch2/catch_test_macros.hpp>
#include <string>

#include "admission/plugin.h"

namespace tabernetes::admission {
namespace {

// From `kube-apiserver --help` of 1.36, in the order of AllOrderedPlugins.
constexpr std::string_view kOrder =
    "AlwaysAdmit NamespaceAutoProvision NamespaceLifecycle NamespaceExists "
    "LimitPodHardAntiAffinityTopology LimitRanger ServiceAccount NodeRestriction "
    "TaintNodesByCondition AlwaysPullImages ImagePolicyWebhook PodSecurity PodNodeSelector "
    "Priority DefaultTolerationSeconds PodTolerationRestriction EventRateLimit "
    "ExtendedResourceToleration DefaultStorageClass StorageObjectInUseProtection "
    "PodGroupProtection OwnerReferencesPermissionEnforcement PersistentVolumeClaimResize "
    "RuntimeClass CertificateApproval CertificateSigning ClusterTrustBundleAttest "
    "CertificateSubjectRestriction DefaultIngressClass DenyServiceExternalIPs PodTopologyLabels "
    "PodGroupWorkloadExists NodeDeclaredFeatureValidator JobValidation PodResizeValidator "
    "MutatingAdmissionPolicy MutatingAdmissionWebhook ValidatingAdmissionPolicy "
    "ValidatingAdmissionWebhook ResourceQuota AlwaysDeny";

TEST_CASE("plugins: in kube-apiserver's order", "[admission]") {
  std::string names;
  for (const Plugin& plugin : all_plugins()) {
    names.append(names.empty() ? "" : " ").append(plugin.name);
  }
  CHECK(names == kOrder);
}

TEST_CASE("plugins: each one with a phase has operations", "[admission]") {
  for (const Plugin& plugin : all_plugins()) {
    bool operates = false;
    for (const auto one : {registry::Operation::kCreate, registry::Operation::kUpdate,
                           registry::Operation::kDelete, registry::Operation::kConnect}) {
      operates = operates || plugin.operations.has(one);
    }
    INFO(plugin.name);
    CHECK(operates == (plugin.mutate != nullptr || plugin.validate != nullptr));
  }
}

TEST_CASE("plugins: a set contains the default ones, and can be changed", "[admission]") {
  PluginSet chosen;
  for (const Plugin& plugin : all_plugins()) CHECK(chosen.has(plugin.name) == plugin.on);
  CHECK(chosen.has("LimitRanger"));
  CHECK_FALSE(chosen.has("AlwaysPullImages"));
  chosen.set("LimitRanger", false);
  chosen.set("AlwaysDeny", true);
  chosen.set("NoSuchPlugin", true);
  CHECK_FALSE(chosen.has("LimitRanger"));
  CHECK(chosen.has("AlwaysDeny"));
  CHECK(chosen.has("Priority"));
  CHECK_FALSE(chosen.has("NoSuchPlugin"));
  CHECK(find_plugin("NoSuchPlugin") == nullptr);
}

}  // namespace
}  // namespace tabernetes::admission
