// The control loops of a cluster. They run in the cluster's time, on the writer's strand, one piece
// of work after another: the same requests at the same times bring the same writes.
//
// All that they know follows from the store: they read its history on from where they were, and
// after anything that is not in it (a restore, a reset) look at the whole state anew. What has to
// be remembered between two turns is copied for a fork.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "controllers/control_loop.h"

namespace tabernetes::controllers {

class ControlLoops {
 public:
  // `names` as parse_controllers() gives them. `registry` outlives this.
  ControlLoops(registry::Registry& registry, const std::vector<std::string>& names);
  // Those of a fork, whose registry this is: they go on where the others are.
  ControlLoops(const ControlLoops& other, registry::Registry& registry);
  ControlLoops(const ControlLoops&) = delete;
  ControlLoops& operator=(const ControlLoops&) = delete;

  // Tells the loops what was written since the last time. To be called after anything that may have
  // written, before time goes on.
  void observe(Time now);

  // When work() has something to do.
  std::optional<Time> next() const;
  // Does the piece of work that is due first, if any is by `due`; `now` is the time that it writes.
  bool work(Time due, Time now);

 private:
  void observe_all(Time now);
  void tell(std::string_view key, const store::Record* before, const store::Record* current,
            Time time);

  registry::Registry& registry_;
  std::vector<std::unique_ptr<ControlLoop>> loops_;
  std::size_t seen_ = 0;  // the place in the history up to which observe() has come
  bool started_ = false;
};

}  // namespace tabernetes::controllers
