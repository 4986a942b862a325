// Who may do what. Requests and access reviews ask here; the mode of authorization answers.
// Source: spec/crd-auth-admission.md 6.2, 6.3, 6.8.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "auth/user.h"

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

struct ResourceRule {
  std::vector<std::string> verbs, groups, resources, names;
};

struct PathRule {
  std::vector<std::string> verbs, paths;
};

// All that a user may do in a namespace, as far as it can be listed.
struct Rules {
  std::vector<ResourceRule> resources;
  std::vector<PathRule> paths;
  bool incomplete = false;
  std::string error;
};

class Authorizer {
 public:
  virtual Decision authorize(const Attributes& attributes) const = 0;
  virtual Rules rules_for(const User& user, std::string_view ns) const = 0;

 protected:
  ~Authorizer() = default;
};

// The mode AlwaysAllow.
const Authorizer& always_allow();

}  // namespace tabernetes::auth
