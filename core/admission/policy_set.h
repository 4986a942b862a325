// The stored policies of a kind with their bindings, compiled once for each version and indexed by
// the resources that they match.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "admission/configurations.h"
#include "admission/policy_program.h"
#include "admission/resource_index.h"

namespace tabernetes::admission {

struct ActivePolicy {
  ConfigurationPtr policy;
  std::unique_ptr<CompiledPolicy> program;
  std::vector<ConfigurationPtr> bindings;  // sorted by name; not empty
};

class PolicySet {
 public:
  // The resources of the policies and of their bindings.
  struct Kinds {
    std::string_view policies, bindings;
  };
  explicit PolicySet(const Kinds& kinds) : kinds_(kinds) {}

  // Brings the set up to date. REQUIRES: `version` is what configurations.follow() returned.
  void follow(const Configurations& configurations, std::uint64_t version);
  // Returns the policies with bindings that may match a request for one of the types, sorted by
  // name; valid until the next follow().
  std::vector<const ActivePolicy*> candidates(
      const registry::ResourceType& own,
      const std::vector<const registry::ResourceType*>& others) const;
  // Must be called when types may be others than before.
  void forget_types() { index_.forget_types(); }

 private:
  const Kinds kinds_;
  std::uint64_t version_ = 0;
  std::vector<ActivePolicy> bound_;  // sorted by name
  ResourceIndex index_;
};

}  // namespace tabernetes::admission
