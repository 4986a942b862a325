// What the server and its controllers note about tokens of service accounts that are in Secrets.
// Source: upstream 1.36 pkg/serviceaccount/legacy.go,
// pkg/controlplane/controller/legacytokentracking.
#pragma once

#include <string_view>

namespace tabernetes::registry::kinds {

// Labels of the Secrets, with days.
inline constexpr std::string_view kLastUsed = "kubernetes.io/legacy-token-last-used";
inline constexpr std::string_view kInvalidSince = "kubernetes.io/legacy-token-invalid-since";

// The ConfigMap of kube-system that says since which day uses are noted, and its key.
inline constexpr std::string_view kTokenTracking =
    "kube-apiserver-legacy-service-account-token-tracking";
inline constexpr std::string_view kTrackedSince = "since";

}  // namespace tabernetes::registry::kinds
