// The secrets that a pod refers to, and those that its service account allows. Source:
// upstream 1.36 plugin/pkg/admission/serviceaccount; pkg/api/pod (VisitPodSecretNames).
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "json/value.h"

namespace tabernetes::admission {

// Return whether the pod refers to any Secret; whether it mounts a token of a service account.
bool refers_to_secrets(const json::Value& spec);
bool projects_account_tokens(const json::Value& spec);

// Returns the names of all Secrets that the pod refers to. They are views of `spec`.
std::set<std::string_view> secrets_of_pod(const json::Value& spec);

// Returns whether pods may use the account's secrets only.
bool limits_secrets(const json::Value& account);

// Return why a secret of the pod, of its ephemeral containers, is not allowed; empty if all are.
std::string forbidden_secret_of_pod(const json::Value& account, const json::Value& spec);
std::string forbidden_secret_of_ephemeral_containers(const json::Value& account,
                                                     const json::Value& spec);

}  // namespace tabernetes::admission
