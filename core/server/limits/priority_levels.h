// All priority levels of a server, as stored: how the seats are divided among them, now and every
// ten seconds by what they need, and the table by which requests are classified. Source: upstream
// 1.36 apiserver/pkg/util/flowcontrol/apf_controller.go.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "registry/kind/strategy.h"
#include "server/limits/flow_schemas.h"
#include "server/limits/priority_level.h"
#include "store/store.h"

namespace tabernetes::server {

class PriorityLevels {
 public:
  using Levels = std::map<std::string, std::unique_ptr<PriorityLevel>, std::less<>>;

  // REQUIRES: `objects` outlives this object. `told`: see QueueSet.
  PriorityLevels(int seats, const registry::ObjectReader& objects, QueueSet::Told told, Time now)
      : seats_(seats), objects_(objects), told_(std::move(told)), next_adjustment_(now + kPeriod) {}

  // Returns the table for the state of the store, another one only if a schema or a level has
  // changed.
  std::shared_ptr<const FlowTable> current(const store::Store& store, Time now);
  // Reads the history from `position` on again.
  void rewind(std::size_t position) { seen_ = std::min(seen_, position); }

  // Divides the seats anew for each period that has ended by `now`.
  void adjust(Time now);
  Time next_adjustment() const { return next_adjustment_; }

  PriorityLevel& level(std::string_view name) { return *levels_.find(name)->second; }
  const Levels& levels() const { return levels_; }
  // Begins to count anew; the levels are read again at the next request, unless one is in flight.
  void forget_counts(Time now);
  // Drops a level that is no longer stored, if it has no more requests.
  void drop_if_left(const std::string& name);

  // All seats by shares, and the places in queues.
  int nominal_seats() const { return nominal_seats_; }
  int queue_places() const { return queue_places_; }
  double fair_fraction() const { return fair_fraction_; }

  static constexpr Duration kPeriod = Duration::from_seconds(10);

 private:
  bool has_changed(const store::Store& store);
  void read(Time now);
  void read_levels(Time now);
  void divide(Time now);
  void lend(Time now);
  void add_flow(FlowTable& table, FlowSchemaSpec schema);
  std::shared_ptr<const FlowTable> make_table();

  const int seats_;
  const registry::ObjectReader& objects_;
  const QueueSet::Told told_;
  Levels levels_;
  std::shared_ptr<const FlowTable> table_;
  std::size_t seen_ = 0;  // the history position up to which `table_` is current
  Time next_adjustment_;
  int nominal_seats_ = 0, queue_places_ = 0;
  double fair_fraction_ = 0;
};

}  // namespace tabernetes::server
