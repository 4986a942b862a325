// A cluster with one control loop of the table, or only those that always run, for tests of them.
#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "../registry_fixture.h"
#include "controllers/run/control_loops.h"
#include "controllers/run/loop_table.h"

namespace tabernetes::controllers {

// Beside the loop are those that always run. What others write is put() into the store.
class LoopFixture : public tests::RegistryFixture {
 public:
  // REQUIRES: the table has a loop of that name.
  explicit LoopFixture(std::string_view name) : loops_(registry, loop_names({name})) { run(); }
  // The same with several loops.
  explicit LoopFixture(std::initializer_list<std::string_view> names)
      : loops_(registry, loop_names(names)) {
    run();
  }
  // Only the loops that always run.
  LoopFixture() : loops_(registry, {}) { run(); }
  // Those, and the scheduler.
  enum class Beside { kScheduler };
  explicit LoopFixture(Beside) : loops_(registry, {}, true) { run(); }

  // Lets time pass, and what then is written have its effects. Returns how many reconciliations
  // there were.
  int run(Duration time = Duration::from_seconds(1)) {
    loops_.on_change(now);
    now = now + time;
    store.advance(now);
    int count = 0;
    while (loops_.reconcile_due(now + kReactionDelay, now)) ++count;
    return count;
  }
  // Makes the loops forget all they know, as after a restore.
  void start_anew() { loops_.start_anew(); }
  // Sets what pods use. REQUIRES: it outlives this object.
  void set_pod_usage(const PodUsage* usage) { loops_.set_pod_usage(usage); }
  // Sets who signs tokens. REQUIRES: it outlives this object.
  void set_token_signer(const TokenSigner* signer) { loops_.set_token_signer(signer); }
  // Sets what the host does. REQUIRES: it outlives this object.
  void set_host(const LoopHost* host) { loops_.set_host(host); }
  // Returns true if only periodic work is left.
  bool settled() {
    loops_.on_change(now);
    return !loops_.next_once();
  }
  // Returns when the next reconciliation is due.
  std::optional<Time> next() const { return loops_.next(); }

 private:
  static std::vector<std::string> loop_names(std::initializer_list<std::string_view> names) {
    std::vector<std::string> found;
    for (const LoopRow& row : loop_table()) {
      for (const std::string_view name : names) {
        if (row.name == name) found.emplace_back(name);
      }
    }
    REQUIRE(found.size() == names.size());
    return found;
  }

  ControlLoops loops_;
};

}  // namespace tabernetes::controllers
