// What the control loops share of the state of the cluster, as informers and their indexes do: a
// summary of each pod, pods by node, and objects by the owner that controls them.
//
// Copy-on-write trees like the store's, so that a fork shares them. They follow the store's history
// (see ControlLoops), so a loop finds here what was there when its reconciliation began, without
// what it has written since.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/informers/lazy_object.h"
#include "controllers/informers/pod_summary.h"
#include "registry/kind/resource_type.h"
#include "store/tree.h"

namespace tabernetes::controllers {

class Informers {
 public:
  using Pods = std::vector<const PodSummary*>;  // valid until the next observe()

  Informers() = default;
  Informers(const Informers& other)
      : objects_(other.objects_.tree()),
        by_controller_(other.by_controller_.tree()),
        by_node_(other.by_node_.tree()) {
    other.age_ = std::make_shared<Age>();
  }
  Informers& operator=(const Informers&) = delete;

  void clear();
  struct PodChange {
    PodPtr before, now;
  };
  // Takes in a change of the object at `key`. Returns the pods before and after it if it is one.
  PodChange observe(const registry::ResourceType& type, std::string_view key,
                    const LazyObject& before, const LazyObject& now);

  // All results are in the order of keys.

  // Returns the pod at a key of the store, or null.
  PodPtr pod(std::string_view key) const;
  // Returns the pods that the owner with that uid controls.
  Pods pods_of(std::string_view controller_uid) const;
  // Returns how many objects that owner controls, pods and others.
  std::size_t count_of(std::string_view controller_uid) const;
  // Returns the pods of a namespace that nobody controls.
  Pods orphan_pods(std::string_view ns) const;
  // Returns the pods that are bound to a node.
  Pods pods_on(std::string_view node) const;
  // Returns the pods of a namespace; an empty one: of all.
  Pods pods_in(std::string_view ns) const;

  // Returns the objects of a type that the owner with that uid controls.
  std::vector<store::RecordPtr> objects_of(std::string_view controller_uid,
                                           const registry::ResourceType& type) const;
  // Returns those of a namespace that nobody controls. REQUIRES: it is a type that loops adopt:
  // ReplicaSets, ControllerRevisions.
  std::vector<store::RecordPtr> orphans(const registry::ResourceType& type,
                                        std::string_view ns) const;

 private:
  struct Known;  // what is known of an object
  struct Entry;  // in a tree
  struct Age {};

  // Returns a pod that may have texts in common with this one: another one of its controller.
  PodPtr sibling_of(const json::Value& pod) const;
  // Returns the pods, or the objects, below a prefix of a tree.
  static Pods pods_at(const store::Tree& tree, const std::string& prefix);
  static std::vector<store::RecordPtr> objects_at(const store::Tree& tree,
                                                  const std::string& prefix);
  void forget(std::string_view key, const Known& known);
  void index(std::string_view key, std::shared_ptr<Known> known);

  // What became known in the present age is in these trees only, and changes in place. A copy
  // begins an age.
  mutable std::shared_ptr<const Age> age_ = std::make_shared<Age>();
  store::TreeWriter objects_;        // by key of the store
  store::TreeWriter by_controller_;  // UID/KEY; orphans: /KEY
  store::TreeWriter by_node_;        // NODE/KEY, pods only
};

}  // namespace tabernetes::controllers
