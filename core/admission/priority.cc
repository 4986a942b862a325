// Priority: sets the priority and the preemption policy of a pod from its priority class. Source:
// upstream 1.36 plugin/pkg/admission/priority.

#include <string>

#include "admission/plugins.h"
#include "admission/request.h"
#include "json/access.h"
#include "json/fill.h"
#include "registry/life/registry.h"

namespace tabernetes::admission {
namespace {

using json::Value;

constexpr registry::ObjectReader::Resource kClasses{"scheduling.k8s.io", "v1", "priorityclasses"};

// Returns the class with globalDefault, or null; there can be only one.
Value global_default_class(const AdmissionRequest& request) {
  Value found;
  if (!request.registry.any_record_contains(kClasses, "globalDefault\":true")) return found;
  json::Arena& arena = request.context.arena;
  request.registry.each_object(kClasses, arena, [&](const Value& candidate) {
    if (found.is_null() && bool_at(candidate, {"globalDefault"})) found = candidate.clone(arena);
  });
  return found;
}

Result<void> rank_new_pod(const AdmissionRequest& request, Value& spec) {
  json::Arena& arena = request.context.arena;
  std::int64_t priority = 0;
  std::string_view preemption = "PreemptLowerPriority";
  const std::string_view name = spec.string_at("priorityClassName");
  const Value its_class = name.empty() ? global_default_class(request)
                                       : request.registry.find_object(kClasses, {}, name, arena);
  if (its_class.is_object()) {
    priority = number_at(its_class, {"value"});
    const std::string_view policy = its_class.string_at("preemptionPolicy");
    if (!policy.empty()) preemption = policy;
    if (name.empty()) {
      spec.set(arena, "priorityClassName", Value::string(text_at(its_class, {"metadata", "name"})));
    }
  } else if (!name.empty()) {
    return refusal(request, "no PriorityClass with name " + std::string(name) + " was found");
  }
  const Value* given = spec.find("priority");
  if (given != nullptr && given->is_int() && given->as_int() != priority) {
    return refusal(
        request, "the integer value of priority (" + std::to_string(given->as_int()) +
                     ") must not be provided in pod spec; priority admission controller computed " +
                     std::to_string(priority) + " from the given PriorityClass name");
  }
  fill_int(spec, "priority", priority, arena);
  fill(spec, "preemptionPolicy", Value::string(preemption), arena);
  return {};
}

}  // namespace

Result<void> set_priority(const AdmissionRequest& request, PluginState&) {
  json::Arena& arena = request.context.arena;
  Value& spec = object_or_new(request.object, "spec", arena);
  if (request.old == nullptr) return rank_new_pod(request, spec);
  for (const std::string_view field : {"priority", "preemptionPolicy"}) {
    const Value* before = request.old->at({"spec", field});
    if (before != nullptr) fill(spec, field, *before, arena);
  }
  return {};
}

}  // namespace tabernetes::admission
