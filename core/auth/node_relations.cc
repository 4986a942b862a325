#include "auth/node_relations.h"

#include <functional>
#include <optional>
#include <string>

#include "json/access.h"
#include "registry/life/registry.h"
#include "registry/objects/object_record.h"

namespace tabernetes::auth {
namespace {

using json::Value;

// Volumes of a pod that read a Secret of the pod's namespace, and where they name it.
struct SecretVolume {
  std::string_view kind, ref, name;  // an empty ref: the name is in the volume itself
};
constexpr SecretVolume kSecretVolumes[] = {
    {"azureFile", "", "secretName"},    {"cephfs", "secretRef", "name"},
    {"cinder", "secretRef", "name"},    {"flexVolume", "secretRef", "name"},
    {"rbd", "secretRef", "name"},       {"secret", "", "secretName"},
    {"scaleIO", "secretRef", "name"},   {"iscsi", "secretRef", "name"},
    {"storageos", "secretRef", "name"}, {"csi", "nodePublishSecretRef", "name"},
};

// Volumes that name a Secret which the kubelet reads. Without a namespace it is the claim's, for
// some.
struct VolumeSecret {
  std::string_view kind, ref;
  bool of_claim = true;
};
constexpr VolumeSecret kVolumeSecrets[] = {
    {"cephfs", "secretRef"},
    {"cinder", "secretRef", false},
    {"flexVolume", "secretRef"},
    {"rbd", "secretRef"},
    {"scaleIO", "secretRef"},
    {"iscsi", "secretRef"},
    {"storageos", "secretRef", false},
    {"csi", "nodePublishSecretRef", false},
    {"csi", "nodeStageSecretRef", false},
    {"csi", "nodeExpandSecretRef", false},
};

// Returns whether a container takes values from an object: `envFrom` and `env` name its kind.
bool containers_use(const Value& pod, std::string_view ref, std::string_view key_ref,
                    std::string_view name) {
  for (const std::string_view list : {"initContainers", "containers", "ephemeralContainers"}) {
    for (const Value& container : items_at(pod, {"spec", list})) {
      for (const Value& source : items_at(container, {"envFrom"})) {
        if (text_at(source, {ref, "name"}) == name) return true;
      }
      for (const Value& variable : items_at(container, {"env"})) {
        if (text_at(variable, {"valueFrom", key_ref, "name"}) == name) return true;
      }
    }
  }
  return false;
}

bool volume_uses_secret(const Value& volume, std::string_view name) {
  for (const SecretVolume& kind : kSecretVolumes) {
    const std::string_view used = kind.ref.empty()
                                      ? text_at(volume, {kind.kind, kind.name})
                                      : text_at(volume, {kind.kind, kind.ref, kind.name});
    if (used == name) return true;
  }
  for (const Value& source : items_at(volume, {"projected", "sources"})) {
    if (text_at(source, {"secret", "name"}) == name) return true;
  }
  return false;
}

bool uses_secret(const Value& pod, std::string_view name) {
  for (const Value& secret : items_at(pod, {"spec", "imagePullSecrets"})) {
    if (secret.string_at("name") == name) return true;
  }
  if (containers_use(pod, "secretRef", "secretKeyRef", name)) return true;
  for (const Value& volume : items_at(pod, {"spec", "volumes"})) {
    if (volume_uses_secret(volume, name)) return true;
  }
  return false;
}

bool uses_config_map(const Value& pod, std::string_view name) {
  if (containers_use(pod, "configMapRef", "configMapKeyRef", name)) return true;
  for (const Value& volume : items_at(pod, {"spec", "volumes"})) {
    if (text_at(volume, {"configMap", "name"}) == name) return true;
    for (const Value& source : items_at(volume, {"projected", "sources"})) {
      if (text_at(source, {"configMap", "name"}) == name) return true;
    }
  }
  return false;
}

bool uses_claim(const Value& pod, std::string_view name) {
  for (const Value& volume : items_at(pod, {"spec", "volumes"})) {
    if (text_at(volume, {"persistentVolumeClaim", "claimName"}) == name) return true;
    if (!has(volume, {"ephemeral"}) || has(volume, {"persistentVolumeClaim"})) continue;
    const std::string_view owner = text_at(pod, {"metadata", "name"});
    if (std::string(owner) + "-" + std::string(volume.string_at("name")) == name) return true;
  }
  return false;
}

bool uses_resource_claim(const Value& pod, std::string_view name) {
  for (const Value& claim : items_at(pod, {"spec", "resourceClaims"})) {
    if (claim.string_at("resourceClaimName") == name) return true;
    if (!has(claim, {"resourceClaimTemplateName"})) continue;
    for (const Value& made : items_at(pod, {"status", "resourceClaimStatuses"})) {
      if (made.string_at("name") == claim.string_at("name") &&
          made.string_at("resourceClaimName") == name) {
        return true;
      }
    }
  }
  return text_at(pod, {"status", "extendedResourceClaimStatus", "resourceClaimName"}) == name;
}

// A mirror pod, which a node makes itself, gives no rights.
bool is_mirror(const Value& pod) {
  return has(pod, {"metadata", "annotations", "kubernetes.io/config.mirror"});
}

bool volume_names_secret(const Value& volume, std::string_view ns, std::string_view name) {
  const std::string_view claim_ns = text_at(volume, {"spec", "claimRef", "namespace"});
  const auto is_it = [&](std::string_view own_ns, std::string_view own_name, bool of_claim) {
    if (own_ns.empty() && of_claim) own_ns = claim_ns;
    return own_name == name && own_ns == ns;
  };
  if (has(volume, {"spec", "azureFile"})) {
    return is_it(text_at(volume, {"spec", "azureFile", "secretNamespace"}),
                 text_at(volume, {"spec", "azureFile", "secretName"}), true);
  }
  for (const VolumeSecret& kind : kVolumeSecrets) {
    if (is_it(text_at(volume, {"spec", kind.kind, kind.ref, "namespace"}),
              text_at(volume, {"spec", kind.kind, kind.ref, "name"}), kind.of_claim)) {
      return true;
    }
  }
  return false;
}

class Search {
 public:
  Search(const NodeRelations& state, std::string_view node) : state_(state), node_(node) {}

  bool pods_use(std::string_view ns, std::string_view name,
                bool (*uses)(const Value&, std::string_view)) const {
    if (ns.empty()) return false;
    return any_of("", "v1", "pods", ns, [&](const Value& pod) {
      return text_at(pod, {"spec", "nodeName"}) == node_ && !is_mirror(pod) && uses(pod, name);
    });
  }

  bool claim_of(const Value& volume) const {
    return has(volume, {"spec", "claimRef"}) &&
           pods_use(text_at(volume, {"spec", "claimRef", "namespace"}),
                    text_at(volume, {"spec", "claimRef", "name"}), &uses_claim);
  }

  bool secret(std::string_view ns, std::string_view name) const {
    if (pods_use(ns, name, &uses_secret)) return true;
    return any_of("", "v1", "persistentvolumes", {}, [&](const Value& volume) {
      return volume_names_secret(volume, ns, name) && claim_of(volume);
    });
  }

  bool volume(std::string_view name) const {
    return one("", "v1", "persistentvolumes", {}, name,
               [&](const Value& found) { return claim_of(found); });
  }

  // Returns whether the object names the node itself.
  bool names_node(std::string_view group, std::string_view version, std::string_view plural,
                  std::string_view ns, std::string_view name) const {
    return one(group, version, plural, ns, name, [&](const Value& found) {
      return text_at(found, {"spec", "nodeName"}) == node_;
    });
  }

 private:
  using Test = std::function<bool(const Value&)>;

  bool any_of(std::string_view group, std::string_view version, std::string_view plural,
              std::string_view ns, const Test& test) const {
    const registry::ResourceType& type = *state_.resources.find(group, version, plural);
    const std::string prefix = type.collection_prefix(ns);
    bool found = false;
    state_.objects.scan(prefix, store::prefix_end(prefix),
                        [&](std::string_view, const store::RecordPtr& record) {
                          json::Arena arena;
                          found = test(registry::read_object(type, *record, arena));
                          return !found;
                        });
    return found;
  }

  bool one(std::string_view group, std::string_view version, std::string_view plural,
           std::string_view ns, std::string_view name, const Test& test) const {
    const registry::ResourceType* type = state_.resources.find(group, version, plural);
    if (type == nullptr) return false;
    const store::RecordPtr record = state_.objects.find(type->key(ns, name));
    json::Arena arena;
    return record != nullptr && test(registry::read_object(*type, *record, arena));
  }

  const NodeRelations& state_;
  std::string_view node_;
};

bool has_account(const Value& pod, std::string_view name) {
  return text_at(pod, {"spec", "serviceAccountName"}) == name;
}

}  // namespace

bool NodeRelations::has(std::string_view node, Related kind, std::string_view ns,
                        std::string_view name) const {
  if (node.empty() || name.empty()) return false;
  const Search search(*this, node);
  switch (kind) {
    case Related::kSecret:
      return search.secret(ns, name);
    case Related::kConfigMap:
      return search.pods_use(ns, name, &uses_config_map);
    case Related::kServiceAccount:
      return search.pods_use(ns, name, &has_account);
    case Related::kClaim:
      return search.pods_use(ns, name, &uses_claim);
    case Related::kVolume:
      return search.volume(name);
    case Related::kResourceClaim:
      return search.pods_use(ns, name, &uses_resource_claim);
    case Related::kPod:
      return search.names_node("", "v1", "pods", ns, name);
    case Related::kAttachment:
      return search.names_node("storage.k8s.io", "v1", "volumeattachments", {}, name);
    case Related::kSlice:
      return search.names_node("resource.k8s.io", "v1", "resourceslices", {}, name);
    case Related::kCertificateRequest:
      return search.names_node("certificates.k8s.io", "v1beta1", "podcertificaterequests", ns,
                               name);
  }
  return false;
}

}  // namespace tabernetes::auth
