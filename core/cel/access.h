// Access checks in expressions: authorizer.group("apps").resource("deployments").check("get").
// Source: apiserver 1.36 pkg/cel/library/authz.go.
#pragma once

#include <string>
#include <string_view>

#include "cel/value.h"

namespace tabernetes::cel {

struct AccessDecision {
  bool allowed = false;
  std::string reason, error;
};

// Decides access checks.
class Access {
 public:
  virtual AccessDecision decide(const AccessState& asked) const = 0;

 protected:
  ~Access() = default;
};

// What an expression has said so far of the action, and the decision. The texts live as long as the
// evaluation.
struct AccessState {
  const Access* access = nullptr;
  // The user's own rights are asked for, unless a service account is named.
  std::string_view account_namespace, account;
  std::string_view verb;
  std::string_view path;  // kPathCheck
  std::string_view group, version = "*", resource, subresource, ns, name;
  bool allowed = false;  // kDecision, like the following
  std::string_view reason, error;
};

// Returns the value of `authorizer`, or of `authorizer.requestResource` (kResourceCheck).
Value make_access(Kind kind, const AccessState& state, json::Arena& arena);

}  // namespace tabernetes::cel
