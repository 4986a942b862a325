// One rule of a role, as the role has it. Source: spec/crd-auth-admission.md 6.5; upstream 1.36:
// pkg/apis/rbac/v1/evaluation_helpers.go, component-helpers auth/rbac/validation.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace tabernetes::auth {

// One thing to do: a verb on a resource, of a certain name or of none, or on a path.
struct Deed {
  std::string_view verb;
  bool on_resource = true;
  std::string_view group, resource, name;  // "pods/log" is a resource of its own
  std::string_view path;
};

// Whether the rule lets that be done. A "*" of the deed itself is covered by a "*" only.
bool covers(const json::Value& rule, const Deed& deed);

// What of `wanted` none of the rules `held` lets be done, one rule a line, sorted.
std::vector<std::string> missing_rights(const std::vector<const json::Value*>& held,
                                        const std::vector<const json::Value*>& wanted);

}  // namespace tabernetes::auth
