// Admission: what the server's plugins change in an object, or refuse, beyond what its kind says.
// The registry asks; core/admission/ answers. Names and order are kube-apiserver's.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/api/result.h"
#include "json/value.h"
#include "registry/meta/subresource.h"

namespace tabernetes::registry {

class Registry;
struct ResourceType;
struct WriteContext;

// The plugins of kube-apiserver 1.36 in the order in which they are asked.
enum class Plugin : std::uint8_t {
  kAlwaysAdmit,
  kNamespaceAutoProvision,
  kNamespaceLifecycle,
  kNamespaceExists,
  kLimitPodHardAntiAffinityTopology,
  kLimitRanger,
  kServiceAccount,
  kNodeRestriction,
  kTaintNodesByCondition,
  kAlwaysPullImages,
  kImagePolicyWebhook,
  kPodSecurity,
  kPodNodeSelector,
  kPriority,
  kDefaultTolerationSeconds,
  kPodTolerationRestriction,
  kEventRateLimit,
  kExtendedResourceToleration,
  kDefaultStorageClass,
  kStorageObjectInUseProtection,
  kPodGroupProtection,
  kOwnerReferencesPermissionEnforcement,
  kPersistentVolumeClaimResize,
  kRuntimeClass,
  kCertificateApproval,
  kCertificateSigning,
  kClusterTrustBundleAttest,
  kCertificateSubjectRestriction,
  kDefaultIngressClass,
  kDenyServiceExternalIPs,
  kPodTopologyLabels,
  kPodGroupWorkloadExists,
  kNodeDeclaredFeatureValidator,
  kJobValidation,
  kPodResizeValidator,
  kMutatingAdmissionPolicy,
  kMutatingAdmissionWebhook,
  kValidatingAdmissionPolicy,
  kValidatingAdmissionWebhook,
  kResourceQuota,
  kAlwaysDeny,
};

// Nothing for a name that is none.
std::optional<Plugin> plugin_named(std::string_view name);

// Which plugins are on.
class Plugins {
 public:
  // Those that are on by default: kube-apiserver's but ServiceAccount, for which somebody must make
  // the accounts of namespaces.
  Plugins();
  bool has(Plugin plugin) const { return (bits_ >> static_cast<int>(plugin) & 1) != 0; }
  void set(Plugin plugin, bool on) {
    const std::uint64_t bit = std::uint64_t{1} << static_cast<int>(plugin);
    bits_ = on ? bits_ | bit : bits_ & ~bit;
  }

 private:
  std::uint64_t bits_;
};

enum class Operation : std::uint8_t { kCreate, kUpdate };

// A write on its way.
struct AdmissionRequest {
  Registry& registry;
  const WriteContext& context;
  Operation operation;
  const ResourceType& type;
  Subresource subresource;
  std::string_view ns;
  json::Value& object;
  const json::Value* old;  // null on create
};

class Admission {
 public:
  // May change the object, after its defaults. Errors: 403 and what a plugin says.
  virtual Result<void> mutate(const Plugins& plugins, const AdmissionRequest& request) const = 0;
  // After validation: may refuse the object.
  virtual Result<void> validate(const Plugins& plugins, const AdmissionRequest& request) const = 0;

 protected:
  ~Admission() = default;
};

}  // namespace tabernetes::registry
