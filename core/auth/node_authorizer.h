// Authorizes kubelets: users `system:node:NAME` in the group system:nodes. Source: upstream 1.36
// plugin/pkg/auth/authorizer/node.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "auth/authorizer.h"
#include "registry/kind/resource_type.h"
#include "store/tree.h"

namespace tabernetes::auth {

// Decides by one state of the objects. Immutable: safe on any thread.
class NodeAuthorizer final : public Authorizer {
 public:
  // `certificates`: the feature gate PodCertificateRequest is on.
  NodeAuthorizer(store::Tree objects, std::shared_ptr<const registry::ResourceTable> resources,
                 bool certificates)
      : objects_(std::move(objects)),
        resources_(std::move(resources)),
        certificates_(certificates) {}

  Decision authorize(const Attributes& attributes) const override;
  Rules rules_for(const User& user, std::string_view ns, json::Arena& arena) const override;
  std::string_view name() const override { return "Node"; }

 private:
  store::Tree objects_;
  std::shared_ptr<const registry::ResourceTable> resources_;
  bool certificates_;
};

}  // namespace tabernetes::auth
