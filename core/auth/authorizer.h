// Authorization: the interface that requests and access reviews use; the authorization mode
// implements it. Source: spec/crd-auth-admission.md 6.2, 6.3, 6.8.
#pragma once

#include <string>
#include <string_view>

#include "auth/user.h"
#include "base/api/result.h"
#include "json/value.h"

namespace tabernetes::auth {

// An action: a verb on a resource or on a non-resource path. In a review any attribute may be "*";
// an empty namespace or name means all.
struct Attributes {
  const User& user;
  std::string_view verb;
  bool on_resource = true;
  std::string_view group, version, resource, subresource, ns, name;  // on_resource
  std::string_view path;                                             // otherwise
  // Of a list, watch or deletecollection, as sent.
  std::string field_selector, label_selector = {};
};

enum class Verdict { kAllow, kDeny, kNoOpinion };

struct Decision {
  Verdict verdict = Verdict::kNoOpinion;
  std::string reason;  // `RBAC: allowed by ...`; often empty
  std::string error;   // what prevented a better answer; usually empty
};

// All rules of a user in a namespace, as far as they can be listed.
struct Rules {
  json::Value resources, paths;  // arrays of rules in the form of roles
  bool incomplete = false;
  std::string error;
};

class Authorizer {
 public:
  virtual Decision authorize(const Attributes& attributes) const = 0;
  // The result is valid as long as the authorizer and the arena.
  virtual Rules rules_for(const User& user, std::string_view ns, json::Arena& arena) const = 0;

  // The authorization mode, as flags name it.
  virtual std::string_view name() const = 0;
  // Appends to `steps` an object for each authorizer that decides in turn: {"authorizer",
  // "verdict", "reason", "error"} and what led to it. The texts are copied into the arena.
  virtual void explain(const Attributes& attributes, json::Arena& arena, json::Value& steps) const;

 protected:
  ~Authorizer() = default;
};

// Returns the object of Authorizer::explain() for a decision.
json::Value explained(std::string_view authorizer, const Decision& decision, json::Arena& arena);

// Returns the authorizer of mode AlwaysAllow.
const Authorizer& always_allow();
// Returns the authorizer of mode AlwaysDeny.
const Authorizer& always_deny();

// Returns 403 for a denied action; `reason` is the authorizer's, or empty.
Failure forbidden(const Attributes& attributes, std::string_view reason);

// Errors: 403.
Result<void> check_access(const Authorizer& authorizer, const Attributes& attributes);

}  // namespace tabernetes::auth
