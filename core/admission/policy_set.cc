#include "admission/policy_set.h"

#include <algorithm>

#include "registry/meta/object_meta.h"
#include "registry/objects/object_record.h"

namespace tabernetes::admission {
namespace {

using registry::Registry;
using registry::ResourceType;

const ResourceType* type_of(const Registry& registry, std::string_view plural) {
  return registry.resources().find("admissionregistration.k8s.io", "v1", plural);
}

const ResourceType* bindings_type(const Registry& registry) {
  return type_of(registry, "validatingadmissionpolicybindings");
}

// Returns false for a damaged record.
bool is_whole(const json::Value& object) {
  const json::Value* spec = object.is_object() ? object.find("spec") : nullptr;
  return spec != nullptr && spec->is_object() && registry::metadata_of(object) != nullptr;
}

}  // namespace

PolicySet::CachedPolicy& PolicySet::keep(const ResourceType& type, const store::RecordPtr& record) {
  for (const auto& kept : kept_) {
    if (kept->record != record) continue;
    kept->used = true;
    return *kept;
  }
  CachedPolicy& made = *kept_.emplace_back(std::make_unique<CachedPolicy>());
  made.record = record;
  made.object = registry::read_object(type, *record, made.arena);
  made.used = true;
  return made;
}

std::vector<ActivePolicy> PolicySet::bound(const Registry& registry) {
  for (const auto& kept : kept_) kept->used = false;
  const ResourceType& bindings = *bindings_type(registry);
  const ResourceType& policies = *type_of(registry, "validatingadmissionpolicies");
  std::vector<ActivePolicy> bound;
  const std::string prefix = bindings.collection_prefix({});
  const auto add = [&](std::string_view, const store::RecordPtr& record) {
    const json::Value& binding = keep(bindings, record).object;
    if (!is_whole(binding)) return true;
    const std::string_view name = binding.find("spec")->string_at("policyName");
    const store::RecordPtr found = registry.store().get(policies.key({}, name));
    if (!found) return true;
    CachedPolicy& policy = keep(policies, found);
    if (!is_whole(policy.object)) return true;
    if (!policy.program) policy.program = std::make_unique<CompiledPolicy>(policy.object);
    const auto place = std::lower_bound(bound.begin(), bound.end(), name,
                                        [](const ActivePolicy& one, std::string_view wanted) {
                                          return one.program->name() < wanted;
                                        });
    if (place != bound.end() && place->program == policy.program.get()) {
      place->bindings.push_back(&binding);
    } else {
      bound.insert(place, {policy.program.get(), {&binding}});
    }
    return true;
  };
  registry.store().tree().scan(prefix, store::prefix_end(prefix), add);
  std::erase_if(kept_, [](const auto& kept) { return !kept->used; });
  return bound;
}

}  // namespace tabernetes::admission
