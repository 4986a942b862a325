// One reconciliation of a DaemonSet. Source: upstream 1.36 pkg/controller/daemon:
// daemon_controller.go, update.go.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/apps/daemon_node.h"
#include "controllers/shared/controller_history.h"

namespace tabernetes::controllers {

using DaemonNodes = std::map<std::string, DaemonNodePtr, std::less<>>;  // by name

// How long failed pods of a DaemonSet on a node are left alone; by uid, generation and node.
class DaemonBackoffs {
 public:
  // Returns until when to wait, or nullopt; then the next wait is longer.
  std::optional<Time> wait(const std::string& key, Time now);
  void clear() { known_.clear(); }

 private:
  struct Known {
    Duration backoff;
    Time since;
  };
  std::map<std::string, Known> known_;
};

class DaemonSetSync {
 public:
  // `pods` are those that the set has claimed.
  DaemonSetSync(const ReconcileContext& cluster, const Owner& set, const DaemonNodes& nodes,
                DaemonBackoffs& backoffs, const Informers::Pods& pods, Revisions revisions);

  Result<void> run();
  // Returns when it must be looked at again, if nothing happens before.
  std::optional<Time> next_check() const { return next_check_; }

 private:
  using PodsByNode = std::map<std::string_view, Informers::Pods>;
  struct Work {
    std::vector<std::string_view> nodes;  // where pods are created
    std::vector<std::string_view> pods;   // that are deleted
  };
  // The pods of a node with and without the present template.
  struct Updated {
    const PodSummary* newer = nullptr;
    const PodSummary* older = nullptr;
    bool unclear = false;  // there are several of one sort
  };

  void check_at(Time time);
  DaemonFit fit(const DaemonNode& node) const { return daemon_fit(spec_, node); }
  bool is_updated(const PodSummary& pod) const;
  Updated updated_pods(const Informers::Pods& pods) const;
  std::int64_t count_setting(std::string_view key, std::int64_t total) const;
  bool available(const PodSummary& pod) const { return pod.available(min_ready_, cluster_.now); }

  // --- Revisions
  Result<void> find_revisions();
  Result<void> take_snapshot(const json::Value& data, std::int64_t number);
  Result<void> keep_newest(const Revisions& same);
  Result<void> clean_up_history();

  // --- Pods
  // Returns whether it created or deleted any.
  Result<bool> manage();
  void look_at_node(const DaemonNode& node, Work& work);
  bool is_running(const DaemonNode& node, const PodSummary& pod, Work& work);
  void prune_surging(const DaemonNode& node, bool should_run, const Informers::Pods& running,
                     Work& work);
  Result<void> update_pods();
  Work replace(std::int64_t max_unavailable) const;
  Work surge(std::int64_t max_surge, std::int64_t wanted) const;
  Result<void> do_work(const Work& work);
  json::Value template_for_pods() const;

  Result<void> write_status();

  const ReconcileContext& cluster_;
  json::Arena& arena_;
  const Owner& set_;
  const DaemonNodes& nodes_;
  DaemonBackoffs& backoffs_;
  const Informers::Pods pods_;
  Revisions revisions_;
  Revisions old_;
  Revision current_;
  std::string hash_;
  PodsByNode by_node_;
  json::Value spec_;  // of the template, with all tolerations
  std::int64_t min_ready_ = 0;
  std::optional<Time> next_check_;
};

}  // namespace tabernetes::controllers
