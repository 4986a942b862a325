// What admission has done to a request, for those who ask why.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

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
  };

  void clear() { steps_.clear(); }
  void add(Step step) { steps_.push_back(std::move(step)); }
  const std::vector<Step>& all() const { return steps_; }

 private:
  std::vector<Step> steps_;
};

}  // namespace tabernetes::registry
