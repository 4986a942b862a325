// What admission has done to a request, for those who ask why.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tabernetes/stopwatch.h"
#include "tabernetes/time.h"

namespace tabernetes::registry {

// Follows admission, plugin by plugin.
class AdmissionSteps {
 public:
  enum class Phase { kMutating, kValidating };
  struct Step {
    Phase phase = Phase::kMutating;
    std::string plugin;
    std::string resource;  // such as "pods/status": a request may cause writes of other objects
    std::string patch;     // the JSON Patch of what it has changed; empty for nothing
    std::string refusal;   // the message; empty if it lets the request pass
    std::optional<Duration> took;
  };

  // Empty: durations are not measured.
  explicit AdmissionSteps(Stopwatch stopwatch = {}) : stopwatch_(std::move(stopwatch)) {}

  const Stopwatch& stopwatch() const { return stopwatch_; }
  void clear() { steps_.clear(); }
  void add(Step step) { steps_.push_back(std::move(step)); }
  const std::vector<Step>& all() const { return steps_; }

 private:
  Stopwatch stopwatch_;
  std::vector<Step> steps_;
};

}  // namespace tabernetes::registry
