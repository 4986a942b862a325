// Proposes the changes of a cluster to its backend, and keeps what waits for the outcome. The
// contract is at the head of tabernetes/backend.h.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <utility>

#include "server/cluster/cluster.h"
#include "tabernetes/backend.h"

namespace tabernetes::server {

class Commits {
 public:
  using Fate = store::Outcome::Kind;
  using Resume = std::function<void(Fate)>;

  // Holds back the changes of the cluster from now on. Calls `go_on` when an outcome has come
  // outside of step(), so that step() is called. REQUIRES: both arguments outlive this object.
  Commits(Cluster& cluster, store::Backend& backend, std::function<void()> go_on);
  Commits(const Commits&) = delete;
  Commits& operator=(const Commits&) = delete;

  // Returns whether something was written that is not durable.
  bool behind() const { return under_way_ || has_more(); }

  // Calls `resume` once, when all that was written so far is durable or undone. May not be called
  // with nothing behind().
  void wait(Resume resume);

  // Takes in an outcome that has come, or proposes what has changed if no batch is under way.
  // Returns true if the settled state, or the one to write to, is another one: then call it again
  // after what follows from that. Must be called after anything that may have written.
  bool step();

 private:
  struct Proposed {
    store::Snapshot state;
    std::size_t end = 0;  // of the history
    Cluster::Shown shown;
  };

  bool has_more() const;
  std::size_t proposed_end() const;
  void propose();
  void take(store::Outcome outcome);
  void accept();
  void go_back(store::Outcome outcome);
  void ask_again_later();
  void resume(std::uint64_t up_to, Fate fate);

  Cluster& cluster_;
  store::Backend& backend_;
  std::function<void()> go_on_;
  std::uint64_t number_ = 0;  // of the last batch proposed
  bool under_way_ = false;    // it has no outcome yet
  Proposed proposed_;         // the state after it
  bool proposing_ = false;
  std::optional<store::Outcome> outcome_;                 // not taken in yet
  std::deque<std::pair<std::uint64_t, Resume>> waiting_;  // by the number of their batch
  std::optional<Deadlines::Handle> retry_;                // after a failure
  bool asks_ = false;                                     // an empty batch is due
};

}  // namespace tabernetes::server
