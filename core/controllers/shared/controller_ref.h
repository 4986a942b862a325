// References from dependents to the object that controls them, and how workload controllers claim
// the objects that their selector selects. Source: upstream 1.36
// pkg/controller/controller_ref_manager.go.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "controllers/informers/controlling_owner.h"
#include "controllers/loop/control_loop.h"

namespace tabernetes::controllers {

// The object for which a controller acts, as it has read it.
struct Owner {
  const registry::ResourceType& type;
  const json::Value& object;
  std::string_view source;  // of its events: "replicaset-controller"

  const json::Value& metadata() const { return *object.find("metadata"); }
  std::string_view ns() const { return metadata().string_at("namespace"); }
  std::string_view name() const { return metadata().string_at("name"); }
  std::string_view uid() const { return metadata().string_at("uid"); }
  bool terminating() const { return metadata().find("deletionTimestamp") != nullptr; }
  registry::ObjectRef ref() const { return {&type, ns(), name()}; }
};

// Returns a reference that says that the owner controls, and that its deletion waits.
json::Value new_controller_ref(const Owner& owner, json::Arena& arena);

// Return whether the owner exists as it was read and is not being deleted: the check that upstream
// makes once more before it adopts.
bool may_adopt(const ReconcileContext& cluster, const Owner& owner);

// Adds the owner as the controller of an orphan. Errors: those of the write; 409 if the object has
// another uid.
Result<void> adopt(const ReconcileContext& cluster, const Owner& owner,
                   const registry::ObjectRef& orphan, std::string_view uid);
// Removes the owner's reference. Does nothing if the object is gone.
Result<void> release(const ReconcileContext& cluster, const Owner& owner,
                     const registry::ObjectRef& dependent, std::string_view uid);

// Returns those of `pods` that the owner has a right to: those that it controls and `wanted` wants,
// and orphans that it adopts. Pods that it controls but does not want are released.
Result<Informers::Pods> claim_pods(const ReconcileContext& cluster, const Owner& owner,
                                   const Informers::Pods& pods,
                                   const std::function<bool(const PodSummary&)>& wanted);

// The same for objects of another type, by label selector.
Result<std::vector<store::RecordPtr>> claim_objects(const ReconcileContext& cluster,
                                                    const Owner& owner,
                                                    const registry::ResourceType& type,
                                                    const registry::LabelSelector& selector);

}  // namespace tabernetes::controllers
