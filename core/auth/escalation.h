// RBAC escalation check: a writer of a role or binding may not grant permissions it does not hold.
// Source: spec/crd-auth-admission.md 6.6; upstream 1.36: pkg/registry/rbac/*/policybased,
// pkg/registry/rbac/validation.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "auth/rbac.h"
#include "registry/kind/admission.h"

namespace tabernetes::auth {

// Runs the other plugins, then the escalation check.
class EscalationGuard final : public registry::Admission {
 public:
  using AuthorizerSource = std::function<std::shared_ptr<const Authorizer>()>;
  // `authorizer` decides about `bind` and `escalate`; none: the roles.
  EscalationGuard(const registry::Admission& plugins, Roles& roles,
                  AuthorizerSource authorizer = {})
      : plugins_(plugins), roles_(roles), authorizer_(std::move(authorizer)) {}

  // Errors: 403, and 404 for a binding to a missing role.
  Result<void> mutate(const registry::AdmissionRequest& request) const override;
  Result<void> validate(const registry::AdmissionRequest& request) const override {
    return plugins_.validate(request);
  }

 private:
  const registry::Admission& plugins_;
  Roles& roles_;
  AuthorizerSource authorizer_;
};

}  // namespace tabernetes::auth
