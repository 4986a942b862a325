// How fast pods of nodes that are not ready are evicted: one node of a zone in ten seconds, slower
// or not at all when most of a zone is down, and never when all of the cluster is. Source: upstream
// 1.36 pkg/controller/nodelifecycle (handleDisruption, ComputeZoneState).
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>

#include "tabernetes/time.h"

namespace tabernetes::controllers {

class NodeZones {
 public:
  struct Count {
    int ready = 0, not_ready = 0;
  };
  enum class Disruption { kNone, kBegins, kEnds };
  // Takes in how many nodes of each zone are ready. Returns whether a disruption of the whole
  // cluster begins or ends.
  Disruption update(const std::map<std::string, Count>& counts);

  // Queues a node to be tainted, if it is not queued.
  void add(const std::string& zone, const std::string& node);
  void remove(const std::string& zone, const std::string& node);
  // Returns when the zone's next node may be tainted; nullopt: not as things are.
  std::optional<Time> next(const std::string& zone, Time now) const;
  // Removes and returns the zone's next node. REQUIRES: next() is due.
  std::string take(const std::string& zone, Time now);
  void clear() { zones_.clear(); }

 private:
  enum class State { kInitial, kNormal, kPartial, kFull };
  struct Zone {
    State state = State::kInitial;
    std::int64_t seconds_per_node = 10;  // 0: none
    std::optional<Time> last;
    std::deque<std::string> nodes;
  };
  static State state_of(const Count& count);
  static void set_limit(Zone& zone, const Count& count, State state);

  std::map<std::string, Zone> zones_;
};

}  // namespace tabernetes::controllers
