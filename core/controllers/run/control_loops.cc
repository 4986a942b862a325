#include "controllers/run/control_loops.h"

#include <utility>

#include "controllers/api/api_services.h"
#include "controllers/api/custom_definitions.h"
#include "controllers/api/flow_schemas.h"
#include "controllers/run/loop_table.h"

namespace tabernetes::controllers {

ControlLoops::ControlLoops(registry::Registry& registry, const std::vector<std::string>& names)
    : registry_(registry) {
  loops_.push_back(std::make_unique<CustomDefinitions>());
  loops_.push_back(std::make_unique<ApiServices>());
  loops_.push_back(std::make_unique<FlowSchemas>());
  for (const LoopRow& row : loop_table()) {
    for (const std::string& name : names) {
      if (name == row.name) loops_.push_back(row.make());
    }
  }
}

ControlLoops::ControlLoops(const ControlLoops& other, registry::Registry& registry)
    : registry_(registry), seen_(other.seen_), started_(other.started_) {
  for (const auto& loop : other.loops_) loops_.push_back(loop->clone());
}

void ControlLoops::tell(std::string_view key, const store::Record* before,
                        const store::Record* current, Time time) {
  const registry::ResourceType* type = registry_.resources().find_key(key);
  if (type == nullptr) return;
  const auto [ns, name] = registry::split_key(*type, key);
  const WatchEvent change{*type, before, current, ns, name, time};
  for (const auto& loop : loops_) loop->on_change(registry_, change);
}

void ControlLoops::observe_all(Time now) {
  for (const auto& loop : loops_) loop->resync();
  registry_.store().tree().scan("", "", [&](std::string_view key, const store::RecordPtr& record) {
    tell(key, nullptr, record.get(), now);
    return true;
  });
}

void ControlLoops::on_change(Time now) {
  const store::History& history = registry_.store().history();
  if (!std::exchange(started_, true) || !history.kept(seen_)) {
    observe_all(now);
    seen_ = history.end();
  }
  for (; seen_ < history.end(); ++seen_) {
    const store::EventPtr event = history.at(seen_);
    tell(event->key, event->previous.get(), event->current.get(), event->time);
  }
}

std::optional<Time> ControlLoops::next() const {
  std::optional<Time> first;
  for (const auto& loop : loops_) {
    const std::optional<Time> due = loop->next();
    if (due && (!first || *due < *first)) first = due;
  }
  return first;
}

bool ControlLoops::reconcile_due(Time due, Time now) {
  const std::optional<Time> first = next();
  if (!first || *first > due) return false;
  for (const auto& loop : loops_) {
    if (loop->next() != first) continue;
    json::Arena arena;
    loop->reconcile_due({registry_, arena, now, due});
    break;
  }
  on_change(now);
  return true;
}

}  // namespace tabernetes::controllers
