// The checks of the Pod Security Standards. Source: k8s.io/pod-security-admission 0.36, policy/.
#pragma once

#include <string>

#include "json/value.h"

namespace tabernetes::admission {

enum class Level { kPrivileged, kBaseline, kRestricted };

// The policy version meant by "latest": no check has changed since.
inline constexpr int kLatestMinor = 35;

struct PodSecurityResult {
  std::string reasons;  // "privileged, hostPort"
  std::string details;  // the same, with specifics in parentheses
  bool allowed() const { return reasons.empty(); }
};

// Checks a pod or a pod template against a level as of version 1.`minor`.
PodSecurityResult check_pod(Level level, int minor, const json::Value& pod);

}  // namespace tabernetes::admission
