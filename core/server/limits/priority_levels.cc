#include "server/limits/priority_levels.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include "base/algorithm/sort.h"

namespace tabernetes::server {
namespace {

using registry::ObjectReader;

constexpr std::string_view kGroup = "flowcontrol.apiserver.k8s.io";
constexpr ObjectReader::Resource kSchemas{kGroup, "v1", "flowschemas"};
constexpr ObjectReader::Resource kLevels{kGroup, "v1", "prioritylevelconfigurations"};
constexpr std::string_view kExempt = "exempt", kCatchAll = "catch-all";

// The levels and schemas without which no server runs, where they are not stored.
LevelSpec usual_level(std::string_view name) {
  LevelSpec level{.name = std::string(name), .uid = {}, .borrowing_percent = {}};
  level.exempt = name == kExempt;
  level.shares = level.exempt ? 0 : 5;
  return level;
}

FlowSchemaSpec usual_schema(std::string_view name) {
  using Subject = FlowSchemaSpec::Subject;
  const bool exempt = name == kExempt;
  FlowSchemaSpec schema{.name = std::string(name), .uid = {}, .level = std::string(name)};
  schema.precedence = exempt ? 1 : 10000;
  schema.flows = exempt ? FlowSchemaSpec::Flows::kOne : FlowSchemaSpec::Flows::kByUser;
  FlowSchemaSpec::Rule rule;
  if (exempt) {
    rule.subjects = {{Subject::Kind::kGroup, {}, "system:masters"}};
  } else {
    rule.subjects = {{Subject::Kind::kGroup, {}, "system:unauthenticated"},
                     {Subject::Kind::kGroup, {}, "system:authenticated"}};
  }
  rule.resources = {{{"*"}, {"*"}, {"*"}, {"*"}, true}};
  rule.paths = {{{"*"}, {"*"}}};
  schema.rules = {std::move(rule)};
  return schema;
}

bool has_schema(const std::vector<FlowSchemaSpec>& schemas, std::string_view name) {
  return std::any_of(schemas.begin(), schemas.end(),
                     [&](const FlowSchemaSpec& schema) { return schema.name == name; });
}

}  // namespace

std::shared_ptr<const FlowTable> PriorityLevels::current(const store::Store& store, Time now) {
  if (has_changed(store)) read(now);
  return table_;
}

bool PriorityLevels::has_changed(const store::Store& store) {
  const store::History& history = store.history();
  bool changed = table_ == nullptr || !history.kept(seen_);
  if (changed) seen_ = history.end();
  for (; seen_ < history.end(); ++seen_) {
    changed = changed || history.at(seen_)->key.starts_with(kGroup);
  }
  return changed;
}

void PriorityLevels::read(Time now) {
  read_levels(now);
  divide(now);
  table_ = make_table();
}

void PriorityLevels::read_levels(Time now) {
  json::Arena arena;
  std::vector<LevelSpec> stored;
  objects_.each_object(kLevels, arena,
                       [&](const json::Value& each) { stored.push_back(read_level(each)); });
  for (const std::string_view name : {kExempt, kCatchAll}) {
    const bool there = std::any_of(stored.begin(), stored.end(),
                                   [&](const LevelSpec& each) { return each.name == name; });
    if (!there) stored.push_back(usual_level(name));
  }
  for (const auto& [name, level] : levels_) level->leaving = true;
  for (LevelSpec& spec : stored) {
    std::unique_ptr<PriorityLevel>& level = levels_[spec.name];
    if (!level) level = std::make_unique<PriorityLevel>(told_, now);
    level->leaving = false;
    level->spec = std::move(spec);
  }
  std::erase_if(
      levels_, [](const auto& each) { return each.second->leaving && each.second->queues.idle(); });
}

void PriorityLevels::add_flow(FlowTable& table, FlowSchemaSpec schema) {
  PriorityLevel& level = *levels_.find(schema.level)->second;
  FlowCounts& counts = level.flows[schema.name];
  table.flows.push_back({.schema = std::move(schema),
                         .level = level.spec,
                         .most_seats = most_seats(level.spec, level.limits.nominal),
                         .load = level.load,
                         .answered_by_views = counts.answered_by_views});
}

std::shared_ptr<const FlowTable> PriorityLevels::make_table() {
  json::Arena arena;
  std::vector<FlowSchemaSpec> schemas;
  objects_.each_object(kSchemas, arena, [&](const json::Value& each) {
    FlowSchemaSpec schema = read_flow_schema(each);
    const auto level = levels_.find(schema.level);
    if (level != levels_.end() && !level->second->leaving) schemas.push_back(std::move(schema));
  });
  sort_stable(schemas, [](const auto& a, const auto& b) {
    return std::tie(a.precedence, a.name) < std::tie(b.precedence, b.name);
  });
  const auto table = std::make_shared<FlowTable>();
  if (!has_schema(schemas, kExempt)) add_flow(*table, usual_schema(kExempt));
  const bool catches_all = has_schema(schemas, kCatchAll);
  for (FlowSchemaSpec& schema : schemas) add_flow(*table, std::move(schema));
  if (!catches_all) add_flow(*table, usual_schema(kCatchAll));
  return table;
}

void PriorityLevels::divide(Time now) {
  std::vector<LevelSpec> specs;
  for (const auto& [name, level] : levels_) specs.push_back(level->spec);
  const std::vector<SeatLimits> limits = divide_seats(seats_, specs);
  nominal_seats_ = queue_places_ = 0;
  std::size_t i = 0;
  for (const auto& [name, level] : levels_) {
    level->limits = limits[i++];
    nominal_seats_ += level->limits.nominal;
    queue_places_ += level->spec.queues * level->spec.queue_length;
  }
  lend(now);
}

void PriorityLevels::lend(Time now) {
  std::vector<SeatClaim> claims;
  int left = nominal_seats_, least = 0, needed = 0;
  for (const auto& [name, level] : levels_) {
    level->note_demand(now);
    const int need = level->needed();
    level->target = std::max(static_cast<double>(need), level->known_demand.smoothed);
    if (level->spec.exempt) {
      left -= need;
      continue;
    }
    claims.push_back(
        {static_cast<double>(need), static_cast<double>(level->limits.most), level->target});
    least += level->limits.least;
    needed += need;
  }
  std::optional<SeatAllocation> allocated;
  if (left > needed) allocated = allocate_seats(nominal_seats_, claims);
  fair_fraction_ = allocated ? allocated->fair_fraction : 0;
  std::size_t claim = 0;
  for (const auto& [name, level] : levels_) {
    const SeatLimits& limits = level->limits;
    int seats = level->seats;
    if (level->spec.exempt) {
      seats = level->needed();
    } else if (left <= least) {
      seats = limits.least;
    } else if (left <= needed) {
      const double share = static_cast<double>(left - least) / (needed - least);
      seats = limits.least + static_cast<int>(std::round((level->needed() - limits.least) * share));
    } else if (allocated) {
      seats = static_cast<int>(std::round(allocated->seats[claim]));
    }
    if (!level->spec.exempt) ++claim;
    level->set_seats(seats, seats_, now);
  }
}

void PriorityLevels::adjust(Time now) {
  // After a long time without requests, only the last periods make a difference.
  constexpr std::int64_t kMostPeriods = 360;
  const std::int64_t passed = (now - next_adjustment_).nanoseconds / kPeriod.nanoseconds;
  if (passed > kMostPeriods) {
    const std::int64_t skipped = passed - kMostPeriods;
    next_adjustment_ = next_adjustment_ + Duration{skipped * kPeriod.nanoseconds};
  }
  while (next_adjustment_ <= now) {
    lend(next_adjustment_);
    const Time next = next_adjustment_ + kPeriod;
    if (next <= next_adjustment_) return;  // the end of all times
    next_adjustment_ = next;
  }
}

void PriorityLevels::forget_counts(Time now) {
  bool idle = true;
  for (const auto& [name, level] : levels_) {
    level->forget_counts(now);
    idle = idle && level->queues.idle();
  }
  if (!idle) return;
  levels_.clear();
  table_ = nullptr;
}

void PriorityLevels::drop_if_left(const std::string& name) {
  const auto found = levels_.find(name);
  if (found == levels_.end() || !found->second->leaving || !found->second->queues.idle()) return;
  levels_.erase(found);
}

}  // namespace tabernetes::server
