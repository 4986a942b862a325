// Control loops that look at one key after another.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "controllers/loop/control_loop.h"
#include "controllers/loop/work_queue.h"

namespace tabernetes::controllers {

// A loop whose clone is a copy of it. `Loop` is the class itself, `Base` what it derives from.
template <typename Loop, typename Base>
class Cloneable : public Base {
 public:
  std::unique_ptr<ControlLoop> clone() const final {
    return std::make_unique<Loop>(static_cast<const Loop&>(*this));
  }

 protected:
  using Base::Base;
};

// A loop with one queue: on_change() adds keys to it, reconcile() gets them when they are due.
class QueueLoop : public ControlLoop {
 public:
  void resync() final {
    queue_.clear();
    forget();
  }
  std::optional<Time> next() const final { return queue_.next(); }
  std::optional<Time> next_once() const final { return queue_.next_once(); }
  void on_answers(std::string_view key, Time now) final { queue_.add(key, now); }
  void reconcile_due(const ReconcileContext& cluster) final {
    if (const std::optional<std::string> key = queue_.take(cluster.due)) reconcile(cluster, *key);
  }

 protected:
  WorkQueue queue_;

 private:
  // Brings about what the key's object asks for, as it is now.
  virtual void reconcile(const ReconcileContext& cluster, const std::string& key) = 0;
  // Forgets what the loop knows besides its queue.
  virtual void forget() {}
};

template <typename Loop>
using QueuedLoop = Cloneable<Loop, QueueLoop>;

// A loop with one queue whose reconciliations can fail, as those of workload controllers: a key is
// tried again after a backoff, until sync() succeeds.
class SyncLoop : public QueueLoop {
 private:
  void reconcile(const ReconcileContext& cluster, const std::string& key) final {
    if (sync(cluster, key)) {
      queue_.forget(key);
    } else {
      queue_.add_rate_limited(key, cluster.now);
    }
  }
  // Brings about what the key's object asks for, as it is now. Errors: those of writes.
  virtual Result<void> sync(const ReconcileContext& cluster, const std::string& key) = 0;
};

template <typename Loop>
using SyncedLoop = Cloneable<Loop, SyncLoop>;

}  // namespace tabernetes::controllers
