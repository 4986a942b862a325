// The policies that have bindings, as they stand in the store. What was read and compiled is kept
// as long as the object stays as it is: a record never changes, and
// is that of one object.
#pragma once

#include <memory>
#include <vector>

#include "admission/policy_program.h"
#include "registry/registry.h"

namespace tabernetes::admission {

struct BoundPolicy {
  const PolicyProgram* program = nullptr;
  std::vector<const json::Value*> bindings;  // sorted by name
};

// Valid until it is asked again.
class PolicySet {
 public:
  // Sorted by name.
  std::vector<BoundPolicy> bound(const registry::Registry& registry);

 private:
  struct Kept {
    store::RecordPtr record;
    json::Arena arena;
    json::Value object;
    std::unique_ptr<PolicyProgram> program;  // of a policy
    bool used = false;
  };
  Kept& keep(const registry::ResourceType& type, const store::RecordPtr& record);

  std::vector<std::unique_ptr<Kept>> kept_;
};

}  // namespace tabernetes::admission
