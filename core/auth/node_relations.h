// Which objects a node has to do with: through its pods, their claims and volumes. Source: upstream
// 1.36 plugin/pkg/auth/authorizer/node/graph.go, pkg/api/v1/pod/util.go,
// pkg/api/v1/persistentvolume/util.go.
#pragma once

#include <string_view>

#include "registry/kind/resource_type.h"
#include "store/tree.h"

namespace tabernetes::auth {

enum class Related {
  kSecret,
  kConfigMap,
  kServiceAccount,
  kClaim,  // PersistentVolumeClaim
  kVolume,
  kResourceClaim,
  kPod,
  kAttachment,
  kSlice,
  kCertificateRequest,
};

// Answers for one state of the objects.
struct NodeRelations {
  const registry::ResourceTable& resources;
  const store::Tree& objects;

  // Returns whether a node has to do with an object, which need not exist.
  bool has(std::string_view node, Related kind, std::string_view ns, std::string_view name) const;
};

}  // namespace tabernetes::auth
