// The scheduler's picture of the cluster: nodes, the pods on them, and pods that it has just
// decided about. Indexes that many decisions need are kept up to date with each pod, so that a
// decision costs a pass over the nodes and not over all pods. Source: upstream 1.36
// pkg/scheduler/backend/cache.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "controllers/scheduler/node_info.h"
#include "controllers/scheduler/pod_info.h"

namespace tabernetes::controllers::scheduling {

// The values of a node label, numbered.
struct Topology {
  static constexpr int kNone = -1;
  std::vector<int> value_of;  // by slot of the node; kNone: it has no such label
  int values = 0;
};

// How many pods on each node match all of some selectors.
struct PodCounter {
  std::vector<PodSelector> selectors;
  bool with_terminating = true;
  std::vector<int> by_slot;
};

enum class TermKind { kRequired, kRequiredAnti, kPreferred };

// Slots as indexes of vectors.
inline std::size_t index(int slot) { return static_cast<std::size_t>(slot); }

// Equal affinity terms of pods that are on nodes.
struct TermGroup {
  TermKind kind;
  AffinityTerm term;
  std::map<int, int> pods_by_slot;
};

// A slot is the number of a node; it stays the same while the node is known.
class Cache {
 public:
  Cache() = default;
  Cache(const Cache& other);
  Cache& operator=(const Cache&) = delete;

  // Nodes. Return what was known of the node before; null if nothing.
  std::unique_ptr<NodeFacts> set_node(NodeFacts facts);
  std::unique_ptr<NodeFacts> remove_node(std::string_view name);
  const NodeInfo& node(int slot) const { return nodes_[index(slot)]; }
  // Returns the slot of an existing node, or -1.
  int find_node(std::string_view name) const;
  // Returns the slots of existing nodes, those of zones in turn.
  const std::vector<int>& nodes();
  std::size_t slots() const { return nodes_.size(); }

  // Pods on nodes. Replaces a pod of the same key. REQUIRES: pod->node is set.
  void set_pod(const PodPtr& pod);
  void remove_pod(const std::string& key);
  // Returns the pod if it is on a node, or null.
  PodPtr find_pod(const std::string& key) const;

  void set_namespace(std::string_view name, LabelSet labels);
  void remove_namespace(std::string_view name);
  const LabelSet& namespace_labels(std::string_view name) const;
  NamespaceLabels all_namespace_labels() const {
    return [this](std::string_view name) -> const LabelSet& { return namespace_labels(name); };
  }

  // Return indexes, which later changes keep up to date or discard: valid until the next one.
  const Topology& topology(const std::string& key);
  std::shared_ptr<const PodCounter> counter(const std::vector<PodSelector>& selectors,
                                            bool with_terminating);
  const std::map<std::string, TermGroup>& terms() const { return terms_; }
  // Returns the number of nodes that have the image.
  int nodes_with_image(const std::string& image) const;

 private:
  int slot_of(const std::string& name);
  void place(const PodPtr& pod, int slot, int sign);
  void count_terms(const PodInfo& pod, int slot, int sign);
  bool counts(const PodCounter& counter, const PodInfo& pod) const;
  void count_images(const NodeFacts& facts, int sign);
  void discard_topologies();

  struct Entry {
    PodPtr pod;
    int slot = 0;
  };
  std::vector<NodeInfo> nodes_;
  std::unordered_map<std::string, int> slots_;
  std::vector<std::string> arrival_;  // names of existing nodes, oldest first
  std::unordered_map<std::string, Entry> pods_;
  std::unordered_map<std::string, LabelSet> namespaces_;
  std::map<std::string, TermGroup> terms_;
  std::unordered_map<std::string, int> image_nodes_;

  std::vector<int> order_;
  bool ordered_ = false;
  std::map<std::string, std::unique_ptr<Topology>> topologies_;
  struct Counting {
    std::string id;
    std::shared_ptr<PodCounter> counter;
  };
  std::list<Counting> counters_;  // the most recently used first
};

// Returns true if the term is about the pod.
bool is_about(const Cache& cache, const AffinityTerm& term, const PodInfo& pod);
// Returns true if all of the terms are, and there are some.
bool are_about(const Cache& cache, const std::vector<AffinityTerm>& terms, const PodInfo& pod);

}  // namespace tabernetes::controllers::scheduling
