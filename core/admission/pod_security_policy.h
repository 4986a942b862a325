// The levels of the Pod Security Standards that hold for a namespace. Source:
// k8s.io/pod-security-admission 0.36, api/.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "admission/pod_security_checks.h"
#include "base/api/field_error.h"
#include "json/value.h"

namespace tabernetes::admission {

inline constexpr std::string_view kPodSecurityLabels = "pod-security.kubernetes.io/";

struct LevelVersion {
  static constexpr int kLatest = 1 << 20;

  Level level = Level::kPrivileged;
  int minor = kLatest;
  friend bool operator==(const LevelVersion&, const LevelVersion&) = default;
  std::string text() const;  // "baseline:v1.30"
};

struct PodSecurityPolicy {
  LevelVersion enforce, audit, warn;
  friend bool operator==(const PodSecurityPolicy&, const PodSecurityPolicy&) = default;

  bool privileged() const {
    return enforce.level == Level::kPrivileged && audit.level == Level::kPrivileged &&
           warn.level == Level::kPrivileged;
  }
};

std::optional<Level> parse_level(std::string_view text);
std::optional<int> parse_level_version(std::string_view text);

// Returns the policy of a namespace with these labels (null: none), and adds what is wrong with
// them to `errors`.
PodSecurityPolicy policy_of_labels(const json::Value* labels, const PodSecurityPolicy& defaults,
                                   field::ErrorList& errors);

}  // namespace tabernetes::admission
