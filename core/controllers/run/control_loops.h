// The control loops of a cluster. They run in the cluster's time, on the writer's strand, one
// reconciliation at a time: the same requests at the same times lead to the same writes.
//
// Their state follows from the store: they continue reading its history where they left off, and
// after anything outside the history (a restore, a reset) observe the whole state again. State that
// must survive between reconciliations is copied for a fork.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/loop/control_loop.h"

namespace tabernetes::controllers {
namespace kubelet {
class BehaviourRules;
class Kubelets;
}  // namespace kubelet

class ControlLoops {
 public:
  // `names` is the result of parse_controllers(). With `scheduler`, the scheduler runs too.
  // REQUIRES: `registry` outlives this object.
  ControlLoops(registry::Registry& registry, const std::vector<std::string>& names,
               bool scheduler = false);
  // The loops of a fork with that registry; they continue in the others' state.
  ControlLoops(const ControlLoops& other, registry::Registry& registry);
  ControlLoops(const ControlLoops&) = delete;
  ControlLoops& operator=(const ControlLoops&) = delete;

  // Passes everything written since the last call to the loops. Must be called after anything that
  // may have written, before time advances.
  void on_change(Time now);

  // Returns the context of a reconciliation outside of the loops' order.
  ReconcileContext context(json::Arena& arena, Time now, Time due) {
    return {registry_, arena, now, due, informers_, event_correlator_, usage_, signer_, host_};
  }
  // Returns the kubelets of simulated nodes; null if they are off.
  kubelet::Kubelets* kubelets() const { return kubelets_; }

  // Lets simulated pods and nodes behave by other rules from `now` on.
  void set_behaviour(std::shared_ptr<const kubelet::BehaviourRules> rules, Time now);

  // Sets where the loops learn what pods use; null, as at first: nowhere. REQUIRES: it outlives
  // this object.
  void set_pod_usage(const PodUsage* usage) { usage_ = usage; }

  // Sets who signs tokens; null, as at first: nobody. REQUIRES: it outlives this object.
  void set_token_signer(const TokenSigner* signer) { signer_ = signer; }

  // Sets what the host does for the loops; null, as at first: nothing. REQUIRES: it outlives this
  // object.
  void set_host(const LoopHost* host) { host_ = host; }

  // Passes on that what a loop asked for a key has been answered.
  void on_answers(std::string_view name, std::string_view key, Time now);

  // Makes the next on_change() tell the loops of everything anew. Must be called when the newest
  // changes were undone.
  void start_anew() { started_ = false; }

  // Continues from `position` in the history, if later ones were read: what follows it is another
  // now, with the same effect.
  void rewind(std::size_t position) { seen_ = std::min(seen_, position); }

  // Sets whether this cluster's loops are at work: those of several servers over one storage are in
  // one of them only. Loops that belong to an API server always are.
  void lead(bool leads);

  // Returns when reconcile_due() will have something to do.
  std::optional<Time> next() const;
  // Returns the same without periodic work.
  std::optional<Time> next_once() const;
  // Runs the reconciliation that is due first, if any is due by `due`; its writes have the time
  // `now`. Returns the name of its loop.
  std::optional<std::string_view> reconcile_due(Time due, Time now);

 private:
  void add(std::string_view name, std::unique_ptr<ControlLoop> loop);
  void observe_all(Time now);
  void tell(std::string_view key, const store::RecordPtr& before, const store::RecordPtr& current,
            Time time, bool anew);

  struct Named {
    std::string_view name;  // kube-controller-manager's, if it is one of its loops
    std::unique_ptr<ControlLoop> loop;
  };
  // Returns the loops that are at work: the first ones.
  std::span<const Named> active() const;

  registry::Registry& registry_;
  std::vector<Named> loops_;
  std::size_t always_ = 0;  // how many of them are always at work
  bool leads_ = true;
  kubelet::Kubelets* kubelets_ = nullptr;  // one of the loops
  Informers informers_;
  EventCorrelator event_correlator_;
  const PodUsage* usage_ = nullptr;
  const TokenSigner* signer_ = nullptr;
  const LoopHost* host_ = nullptr;
  json::Arena arena_;     // of the reconciliation, or the change that is being told
  std::size_t seen_ = 0;  // position in the history up to which on_change() has read
  bool started_ = false;
};

}  // namespace tabernetes::controllers
