// The stored policies with bindings. Decoded and compiled policies are cached as long as their
// record is current: a record is immutable and belongs to one object.
#pragma once

#include <memory>
#include <vector>

#include "admission/policy_program.h"
#include "registry/life/registry.h"

namespace tabernetes::admission {

struct ActivePolicy {
  const CompiledPolicy* program = nullptr;
  std::vector<const json::Value*> bindings;  // sorted by name
};

// Results are valid until the next call of bound().
class PolicySet {
 public:
  // Returns the policies with bindings, sorted by name.
  std::vector<ActivePolicy> bound(const registry::Registry& registry);

 private:
  struct CachedPolicy {
    store::RecordPtr record;
    json::Arena arena;
    json::Value object;
    std::unique_ptr<CompiledPolicy> program;  // for a policy
    bool used = false;
  };
  CachedPolicy& keep(const registry::ResourceType& type, const store::RecordPtr& record);

  std::vector<std::unique_ptr<CachedPolicy>> kept_;
};

}  // namespace tabernetes::admission
