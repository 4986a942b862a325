// A control loop: it observes every change, queues what needs reconciling, and later reads the
// current objects and writes through the registry, like any client.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include "controllers/informers/informers.h"
#include "controllers/informers/lazy_object.h"
#include "controllers/loop/event_correlator.h"
#include "controllers/loop/loop_host.h"
#include "controllers/loop/pod_usage.h"
#include "controllers/loop/token_signer.h"
#include "registry/life/registry.h"
#include "store/history.h"
#include "tabernetes/time.h"

namespace tabernetes::controllers {

// The delay between a change and the reconciliation: changes of one moment are looked at together,
// those of different moments one after the other.
inline constexpr Duration kReactionDelay{100'000};  // 0.1 ms

// How much longer it is for a workload with many pods: for each of them, and at most.
inline constexpr Duration kDelayPerPod{100'000};  // 0.1 ms: 5 ms for 50 pods
inline constexpr Duration kLongestDelay = Duration::from_milliseconds(20);
// Workloads with fewer pods are looked at without that delay.
inline constexpr std::int64_t kManyPods = 20;

// The field manager of the loops' writes.
inline constexpr std::string_view kManager = "kube-controller-manager";

// A change of one object, after the informers have taken it in.
struct WatchEvent {
  const registry::ResourceType& type;  // in its stored version
  const store::Record* before;         // null for a creation
  const store::Record* now;            // null for a deletion
  std::string_view key;                // in the store
  std::string_view ns, name;
  Time time;
  // The objects of `before` and `now`, decoded once for all loops.
  const LazyObject& object_before;
  const LazyObject& object_now;
  const Informers& informers;
  // If it is a pod: what it was and is; null like `before` and `now`.
  const PodSummary* pod_before;
  const PodSummary* pod;
  bool anew = false;  // it existed before: the loops observe everything anew

  // Returns the object as it is; a deleted one as it was.
  const json::Value& object() const { return (now != nullptr ? object_now : object_before).get(); }
  Time due() const { return time + kReactionDelay; }
  // The same for a workload with that uid: later if it has many pods, since looking at all of them
  // takes time, and changes of some of them are looked at together.
  Time due_for(std::string_view workload_uid) const {
    const auto count = static_cast<std::int64_t>(informers.count_of(workload_uid));
    if (count < kManyPods) return due();
    return due() + std::min(Duration{count * kDelayPerPod.nanoseconds}, kLongestDelay);
  }
};

// The context of one reconciliation.
struct ReconcileContext {
  registry::Registry& registry;
  json::Arena& arena;
  Time now;
  Time due;  // items due by then are processed
  const Informers& informers;
  EventCorrelator& event_correlator;
  const PodUsage* usage = nullptr;      // null: no nodes are simulated
  const TokenSigner* signer = nullptr;  // null: there is no key
  const LoopHost* host = nullptr;       // null: there is none

  // Returns the context for a write to an object, or to a subresource of it.
  registry::WriteContext context(std::string_view subresource = {}) const {
    return context_in(arena, subresource);
  }
  // The same, with another arena: for one of many writes, whose memory is not needed afterwards.
  registry::WriteContext context_in(json::Arena& memory, std::string_view subresource = {}) const {
    registry::WriteContext context{.arena = memory, .now = now};
    context.manager = kManager;
    context.subresource = subresource;
    return context;
  }
  // Returns the reference in the object's stored version: a loop does not wait for conversion
  // webhooks.
  registry::ObjectRef in_storage_version(registry::ObjectRef ref) const;
  // Returns the current object, or null.
  json::Value read(const registry::ObjectRef& ref) const;
  // Returns what reaches aggregated API servers; null: the host reaches none.
  AggregatedCalls* aggregated() const { return host == nullptr ? nullptr : host->aggregated; }
};

class ControlLoop {
 public:
  virtual ~ControlLoop() = default;

  virtual void on_change(const registry::Registry& registry, const WatchEvent& change) = 0;
  // Clears all state; afterwards the existing objects are observed as created.
  virtual void resync() = 0;
  virtual std::optional<Time> next() const = 0;
  // Returns the same without work that is periodic: see WorkQueue. A loop that never rests without
  // having said so keeps a cluster from being settled.
  virtual std::optional<Time> next_once() const { return next(); }
  // Tells that what the loop asked for a key has been answered: see AggregatedCalls.
  virtual void on_answers(std::string_view /*key*/, Time /*now*/) {}
  // Reconciles one item that is due.
  virtual void reconcile_due(const ReconcileContext& cluster) = 0;
  virtual std::unique_ptr<ControlLoop> clone() const = 0;

 protected:
  ControlLoop() = default;
  ControlLoop(const ControlLoop&) = default;
  ControlLoop& operator=(const ControlLoop&) = delete;
};

}  // namespace tabernetes::controllers
