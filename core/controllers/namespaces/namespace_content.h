// Deletes the content of a namespace and counts what remains.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/loop/control_loop.h"

namespace tabernetes::controllers {

// Upstream's estimate for objects with finalizers, in seconds.
inline constexpr std::int64_t kFinalizerEstimate = 15;

struct NamespaceContent {
  std::map<std::string, std::size_t> remaining;   // by "plural.group"
  std::map<std::string, std::size_t> finalizers;  // of the remaining objects
  std::vector<std::string> errors;
  std::vector<std::string> undiscovered;  // group versions whose resources are unknown
  std::int64_t estimate = 0;              // seconds until everything is gone
  bool pods_only = false;                 // pods remain; other resources were not touched
  bool estimate_is_grace_period = false;  // the estimate results from their grace periods
  bool elsewhere = false;                 // aggregated API servers may have some of it
  bool waits = false;                     // their answers are missing; the rest does not count
};

// Deletes all content of a namespace that has been terminating since `since`.
NamespaceContent delete_content(const ReconcileContext& cluster, std::string_view ns, Time since);

}  // namespace tabernetes::controllers
