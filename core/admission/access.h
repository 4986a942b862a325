// Asks the cluster's authorizer, on behalf of plugins and of expressions.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "registry/meta/user.h"

namespace tabernetes::admission {

// An action on a resource or, with `path`, on a path.
struct AccessQuestion {
  const registry::User& user;
  std::string_view verb;
  std::string_view group, version, resource, subresource, ns, name;
  std::string_view path = {};
};

struct AccessAnswer {
  bool allowed = false;
  std::string reason, error;
};

// Empty: everything is allowed.
using AccessCheck = std::function<AccessAnswer(const AccessQuestion& question)>;

inline AccessAnswer ask_access(const AccessCheck& check, const AccessQuestion& question) {
  return check ? check(question) : AccessAnswer{.allowed = true, .reason = {}, .error = {}};
}

// Returns whether the user may do `verb` on signers for the signer "domain/path": by its name, or
// by "domain/*". Source: upstream 1.36 pkg/registry/certificates/... (IsAuthorizedForSignerName).
bool may_use_signer(const AccessCheck& check, const registry::User& user, std::string_view verb,
                    std::string_view signer);

}  // namespace tabernetes::admission
