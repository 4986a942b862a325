// Who may do what. Requests and access reviews ask here; the mode of authorization answers.
// Source: spec/crd-auth-admission.md 6.2, 6.3, 6.8.
#pragma once

#include <string>
#include <string_view>

#include "auth/user.h"
#include "base/result.h"
#include "json/value.h"

namespace tabernetes::auth {

// What somebody wants to do: a verb on a resource, or on a path that is none. Of a review any of
// them may be "*"; an empty namespace or name stands for all.
struct Attributes {
  const User& user;
  std::string_view verb;
  bool on_resource = true;
  std::string_view group, version, resource, subresource, ns, name;  // on_resource
  std::string_view path;                                             // otherwise
};

enum class Verdict { kAllow, kDeny, kNoOpinion };

struct Decision {
  Verdict verdict = Verdict::kNoOpinion;
  std::string reason;  // `RBAC: allowed by ...`; often empty
  std::string error;   // what kept it from knowing better; empty: nothing
};

// All that a user may do in a namespace, as far as it can be listed.
struct Rules {
  json::Value resources, paths;  // arrays of rules, as roles have them
  bool incomplete = false;
  std::string error;
};

class Authorizer {
 public:
  virtual Decision authorize(const Attributes& attributes) const = 0;
  // As long as the authorizer and the arena live.
  virtual Rules rules_for(const User& user, std::string_view ns, json::Arena& arena) const = 0;

 protected:
  ~Authorizer() = default;
};

// The mode AlwaysAllow.
const Authorizer& always_allow();

// 403 for what somebody may not do; `reason` is the authorizer's, or empty.
Failure forbidden(const Attributes& attributes, std::string_view reason);

// Errors: 403.
Result<void> check_access(const Authorizer& authorizer, const Attributes& attributes);

}  // namespace tabernetes::auth
