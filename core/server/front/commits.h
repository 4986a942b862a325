// Proposes the changes of a cluster to its backend, and keeps what waits for the outcome. The
// contract is at the head of tabernetes/backend.h.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "server/cluster/cluster.h"
#include "server/cluster/stored_state.h"
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
  // Returns whether nothing may be written until the batch under way has an outcome.
  bool holds() const { return shared_ && under_way_; }

  // Of shared storage: notes that one request has made the changes after `before` up to `last`.
  void note_request(store::Revision before, store::Revision last);
  // Returns whether a change of the last batch was not stored.
  bool lost_some() const;
  // Calls `resume` once, when the settled state has everything that was stored before this call.
  using Caught = std::function<void(const std::optional<Fault>&)>;
  void catch_up(Caught resume);
  // Returns what became of the changes of the last batch. Only for a Resume.
  const Renumbered& renumbered() const { return renumbered_; }

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
  void ask_for_news();
  bool take_news();
  std::size_t proposed_end() const;
  void propose();
  void take(store::Outcome outcome);
  void accept(bool stored);
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

  // Of shared storage.
  const bool shared_;
  bool news_ = false;  // others have stored something
  std::vector<WrittenTogether> requests_;
  std::vector<NotedPorts> noted_;  // in the batch under way
  Renumbered renumbered_;
  std::vector<Caught> asked_, asks_next_;  // by whether the backend was asked since they came
  bool asking_ = false, asks_now_ = false;
  std::uint64_t questions_ = 0;
  std::optional<std::optional<Fault>> caught_;  // the answer to those that are asked_
};

}  // namespace tabernetes::server
