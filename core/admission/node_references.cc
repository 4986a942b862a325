#include "admission/node_references.h"

#include <algorithm>

#include "base/go/text.h"
#include "json/access.h"
#include "registry/life/registry.h"

namespace tabernetes::admission {
namespace {

using json::Value;
using References = std::pair<std::string, std::string>;

struct VolumeKind {
  std::string_view member, reference;  // empty: it refers to nothing
};

constexpr VolumeKind kVolumes[] = {
    {"awsElasticBlockStore", ""},
    {"azureDisk", ""},
    {"cinder", ""},
    {"downwardAPI", ""},
    {"emptyDir", ""},
    {"fc", ""},
    {"flocker", ""},
    {"gcePersistentDisk", ""},
    {"gitRepo", ""},
    {"hostPath", ""},
    {"image", ""},
    {"nfs", ""},
    {"photonPersistentDisk", ""},
    {"portworxVolume", ""},
    {"quobyte", ""},
    {"vsphereVolume", ""},
    {"cephfs", ""},
    {"flexVolume", ""},
    {"iscsi", ""},
    {"rbd", ""},
    {"scaleIO", ""},
    {"storageos", ""},
    {"configMap", "configmaps (via configmap volumes)"},
    {"secret", "secrets (via secret volumes)"},
    {"csi", "csidrivers (via CSI volumes)"},
    {"glusterfs", "endpoints (via glusterFS volumes)"},
    {"persistentVolumeClaim", "persistentvolumeclaims"},
    {"ephemeral", "persistentvolumeclaims (via ephemeral volumes)"},
    {"azureFile", "secrets (via azureFile volumes)"},
};
constexpr VolumeKind kSources[] = {
    {"configMap", "configmaps (via projected volumes)"},
    {"secret", "secrets (via projected volumes)"},
    {"serviceAccountToken", "serviceaccounts (via projected volumes)"},
    {"clusterTrustBundle", "clustertrustbundles"},
    {"podCertificate", "podcertificates"},
    {"downwardAPI", ""},
};
// Drivers that read a Secret of the pod's namespace.
constexpr std::string_view kWithSecrets[] = {"cephfs", "cinder",  "flexVolume", "iscsi",
                                             "rbd",    "scaleIO", "storageos"};

template <std::size_t kCount>
const VolumeKind* kind_of(const VolumeKind (&kinds)[kCount], const Value& volume) {
  for (const VolumeKind& kind : kinds) {
    if (has(volume, {kind.member})) return &kind;
  }
  return nullptr;
}

// Returns whether a container takes values from a Secret or a ConfigMap.
bool takes_from(const Value& pod, std::string_view ref, std::string_view key_ref) {
  for (const std::string_view list : {"initContainers", "containers", "ephemeralContainers"}) {
    for (const Value& container : items_at(pod, {"spec", list})) {
      for (const Value& source : items_at(container, {"envFrom"})) {
        if (!text_at(source, {ref, "name"}).empty()) return true;
      }
      for (const Value& variable : items_at(container, {"env"})) {
        if (!text_at(variable, {"valueFrom", key_ref, "name"}).empty()) return true;
      }
    }
  }
  return false;
}

bool has_volume_with_secret(const Value& pod) {
  for (const Value& volume : items_at(pod, {"spec", "volumes"})) {
    if (!text_at(volume, {"secret", "secretName"}).empty() ||
        !text_at(volume, {"azureFile", "secretName"}).empty() ||
        !text_at(volume, {"csi", "nodePublishSecretRef", "name"}).empty()) {
      return true;
    }
    for (const std::string_view kind : kWithSecrets) {
      if (!text_at(volume, {kind, "secretRef", "name"}).empty()) return true;
    }
    for (const Value& source : items_at(volume, {"projected", "sources"})) {
      if (!text_at(source, {"secret", "name"}).empty()) return true;
    }
  }
  return false;
}

bool refers_to_secrets(const Value& pod) {
  const auto pulls = items_at(pod, {"spec", "imagePullSecrets"});
  const bool pulled = std::any_of(pulls.begin(), pulls.end(), [](const Value& secret) {
    return !secret.string_at("name").empty();
  });
  return pulled || takes_from(pod, "secretRef", "secretKeyRef") || has_volume_with_secret(pod);
}

bool refers_to_config_maps(const Value& pod) {
  if (takes_from(pod, "configMapRef", "configMapKeyRef")) return true;
  for (const Value& volume : items_at(pod, {"spec", "volumes"})) {
    if (!text_at(volume, {"configMap", "name"}).empty()) return true;
    for (const Value& source : items_at(volume, {"projected", "sources"})) {
      if (!text_at(source, {"configMap", "name"}).empty()) return true;
    }
  }
  return false;
}

References find_in_volume(const Value& volume) {
  const std::string name = go_quote(volume.string_at("name"));
  if (has(volume, {"projected"})) {
    for (const Value& source : items_at(volume, {"projected", "sources"})) {
      const VolumeKind* kind = kind_of(kSources, source);
      if (kind == nullptr) return {"", "unknown source for projected volume " + name};
      if (!kind->reference.empty()) return {std::string(kind->reference), ""};
    }
    return {};
  }
  const VolumeKind* kind = kind_of(kVolumes, volume);
  if (kind == nullptr) return {"", "unknown volume type for volume  " + name};
  return {std::string(kind->reference), ""};
}

}  // namespace

References find_reference(const Value& pod) {
  if (!text_at(pod, {"spec", "serviceAccountName"}).empty()) return {"serviceaccounts", ""};
  if (refers_to_secrets(pod)) return {"secrets", ""};
  if (refers_to_config_maps(pod)) return {"configmaps", ""};
  if (items_at(pod, {"spec", "resourceClaims"}).size() > 0) return {"resourceclaims", ""};
  for (const Value& volume : items_at(pod, {"spec", "volumes"})) {
    References found = find_in_volume(volume);
    if (!found.first.empty() || !found.second.empty()) return found;
  }
  return {};
}

AudienceSearch find_audience(const AdmissionRequest& request, const Value& pod,
                             std::string_view audience) {
  AudienceSearch search;
  json::Arena& arena = request.context.arena;
  const registry::Registry& objects = request.registry;
  const auto missing = [&](std::string_view what, std::string_view name) {
    search.errors.push_back(std::string(what) + " " + go_quote(name) + " not found");
  };
  const auto driver_of_claim = [&](std::string_view name) -> std::string_view {
    const Value claim =
        objects.find_object({"", "v1", "persistentvolumeclaims"}, request.ns, name, arena);
    if (!claim.is_object()) return missing("persistentvolumeclaim", name), "";
    const std::string_view volume = text_at(claim, {"spec", "volumeName"});
    const Value found = objects.find_object({"", "v1", "persistentvolumes"}, {}, volume, arena);
    if (!found.is_object()) return missing("persistentvolume", volume), "";
    return text_at(found, {"spec", "csi", "driver"});
  };
  for (const Value& volume : items_at(pod, {"spec", "volumes"})) {
    for (const Value& source : items_at(volume, {"projected", "sources"})) {
      const Value* token = source.find("serviceAccountToken");
      if (token != nullptr && token->is_object() && token->string_at("audience") == audience) {
        search.found = true;
        return search;
      }
    }
    std::string_view driver = text_at(volume, {"csi", "driver"});
    if (has(volume, {"ephemeral", "volumeClaimTemplate"})) {
      driver = driver_of_claim(arena.copy(std::string(text_at(pod, {"metadata", "name"})) + "-" +
                                          std::string(volume.string_at("name"))));
    } else if (has(volume, {"persistentVolumeClaim"})) {
      driver = driver_of_claim(text_at(volume, {"persistentVolumeClaim", "claimName"}));
    }
    if (driver.empty()) continue;
    const Value found =
        objects.find_object({"storage.k8s.io", "v1", "csidrivers"}, {}, driver, arena);
    if (!found.is_object()) {
      missing("csidriver.storage.k8s.io", driver);
      continue;
    }
    for (const Value& token : items_at(found, {"spec", "tokenRequests"})) {
      search.found = search.found || token.string_at("audience") == audience;
    }
    if (search.found) return search;
  }
  return search;
}

}  // namespace tabernetes::admission
