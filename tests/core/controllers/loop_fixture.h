// A cluster with one control loop of the table, for tests of it.
#pragma once

#include <string_view>
#include <vector>

#include "../registry_fixture.h"
#include "controllers/control_loops.h"
#include "controllers/loop_table.h"

namespace tabernetes::controllers {

// Beside the loop are those that always run. What others write is put() into the store.
class LoopFixture : public tests::RegistryFixture {
 public:
  // REQUIRES: the table has a loop of that name.
  explicit LoopFixture(std::string_view name) : loops_(registry, names(name)) { run(); }

  // Lets time pass. Returns how many reconciliations there were.
  int run(Duration time = Duration::from_seconds(1)) {
    loops_.on_change(now_);
    now_ = now_ + time;
    int count = 0;
    while (loops_.reconcile_due(now_, now_)) ++count;
    return count;
  }

 private:
  static std::vector<std::string> names(std::string_view name) {
    std::vector<std::string> found;
    for (const LoopRow& row : loop_table()) {
      if (row.name == name) found.emplace_back(name);
    }
    REQUIRE(found.size() == 1);
    return found;
  }

  ControlLoops loops_;
  Time now_;
};

}  // namespace tabernetes::controllers
