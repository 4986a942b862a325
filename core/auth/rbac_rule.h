// Evaluates a single rule of a role. Source: spec/crd-auth-admission.md 6.5; upstream 1.36:
// pkg/apis/rbac/v1/evaluation_helpers.go, component-helpers auth/rbac/validation.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace tabernetes::auth {

// A single action: a verb on a resource, with or without a name, or on a path.
struct Action {
  std::string_view verb;
  bool on_resource = true;
  std::string_view group, resource, name;  // "pods/log" is a separate resource
  std::string_view path;
};

// Returns whether the rule permits the action. A "*" in the action is covered only by a "*".
bool covers(const json::Value& rule, const Action& action);

// Returns the fields of the rule because of which it does not cover the action: "verbs",
// "apiGroups", "resources", "resourceNames" or "nonResourceURLs"; none if it covers it.
std::vector<std::string_view> fields_that_differ(const json::Value& rule, const Action& action);

// Calls `visit` with every single action that a rule names.
void each_action(const json::Value& rule, const std::function<void(const Action&)>& visit);

// Returns the permissions in `wanted` that no rule in `held` grants, one rule per line, sorted.
std::vector<std::string> missing_rights(const std::vector<const json::Value*>& held,
                                        const std::vector<const json::Value*>& wanted);

}  // namespace tabernetes::auth
