#include "admission/policy_set.h"

#include <algorithm>
#include <map>
#include <utility>

#include "json/access.h"

namespace tabernetes::admission {
namespace {

bool has_spec(const Configuration& configuration) {
  const json::Value* spec = configuration.object.find("spec");
  return spec != nullptr && spec->is_object();
}

}  // namespace

void PolicySet::follow(const Configurations& configurations, std::uint64_t version) {
  if (version_ == version) return;
  version_ = version;
  std::map<std::string_view, std::vector<ConfigurationPtr>> bindings;  // by name of the policy
  configurations.each(kinds_.bindings, [&](const ConfigurationPtr& binding) {
    if (has_spec(*binding)) {
      bindings[text_at(binding->object, {"spec", "policyName"})].push_back(binding);
    }
  });
  std::vector<ActivePolicy> before = std::exchange(bound_, {});
  index_ = {};
  for (auto& [name, list] : bindings) {
    ConfigurationPtr policy = configurations.find(kinds_.policies, name);
    if (policy == nullptr || !has_spec(*policy)) continue;
    const auto known = std::find_if(before.begin(), before.end(), [&](const ActivePolicy& one) {
      return one.policy == policy && one.program != nullptr;
    });
    std::unique_ptr<CompiledPolicy> program =
        known != before.end() ? std::move(known->program)
                              : std::make_unique<CompiledPolicy>(policy->object);
    index_.add(policy->object.at({"spec", "matchConstraints", "resourceRules"}));
    bound_.push_back({std::move(policy), std::move(program), std::move(list)});
  }
}

std::vector<const ActivePolicy*> PolicySet::candidates(
    const registry::ResourceType& own,
    const std::vector<const registry::ResourceType*>& others) const {
  std::vector<const ActivePolicy*> found;
  for (const std::uint32_t number : index_.find(own, others)) found.push_back(&bound_[number]);
  return found;
}

}  // namespace tabernetes::admission
