// Several authorizers, one after the other. Source: upstream 1.36
// apiserver/pkg/authorization/union, pkg/kubeapiserver/authorizer.
#pragma once

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "auth/authorizer.h"

namespace tabernetes::auth {

// The first that allows or denies decides. The group system:masters is always allowed everything.
class AuthorizerChain final : public Authorizer {
 public:
  using Parts = std::vector<std::shared_ptr<const Authorizer>>;
  explicit AuthorizerChain(Parts parts) : parts_(std::move(parts)) {}

  Decision authorize(const Attributes& attributes) const override;
  Rules rules_for(const User& user, std::string_view ns, json::Arena& arena) const override;
  std::string_view name() const override { return "Union"; }
  void explain(const Attributes& attributes, json::Arena& arena, json::Value& steps) const override;

 private:
  Parts parts_;
};

}  // namespace tabernetes::auth
