#include "controllers/nodes/node_zones.h"

#include <algorithm>

namespace tabernetes::controllers {
namespace {

constexpr int kLargeCluster = 50;  // nodes
constexpr std::int64_t kSecondsPerNode = 10, kSlowSecondsPerNode = 100;

}  // namespace

NodeZones::State NodeZones::state_of(const Count& count) {
  if (count.ready == 0 && count.not_ready > 0) return State::kFull;
  const bool most_down = count.not_ready * 100 >= 55 * (count.ready + count.not_ready);
  return count.not_ready > 2 && most_down ? State::kPartial : State::kNormal;
}

void NodeZones::set_limit(Zone& zone, const Count& count, State state) {
  zone.state = state;
  zone.seconds_per_node = kSecondsPerNode;
  if (state == State::kPartial) {
    zone.seconds_per_node = count.ready + count.not_ready > kLargeCluster ? kSlowSecondsPerNode : 0;
  }
}

NodeZones::Disruption NodeZones::update(const std::map<std::string, Count>& counts) {
  bool all_are_down = true;
  for (const auto& [name, count] : counts) {
    if (state_of(count) != State::kFull) all_are_down = false;
    (void)zones_[name];
  }
  bool all_were_down = true;
  for (auto it = zones_.begin(); it != zones_.end();) {
    if (!counts.contains(it->first)) {
      it = zones_.erase(it);
      continue;
    }
    if (it->second.state != State::kFull) all_were_down = false;
    ++it;
  }
  if (all_are_down && all_were_down) return Disruption::kNone;
  for (auto& [name, zone] : zones_) {
    const Count& count = counts.at(name);
    if (all_are_down) {
      zone.state = State::kFull;
      zone.seconds_per_node = 0;
    } else if (all_were_down || zone.state != state_of(count)) {
      set_limit(zone, count, state_of(count));
    }
  }
  if (zones_.empty()) return Disruption::kNone;
  return all_are_down ? Disruption::kBegins : all_were_down ? Disruption::kEnds : Disruption::kNone;
}

void NodeZones::add(const std::string& zone, const std::string& node) {
  std::deque<std::string>& nodes = zones_[zone].nodes;
  if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
}

void NodeZones::remove(const std::string& zone, const std::string& node) {
  const auto known = zones_.find(zone);
  if (known != zones_.end()) std::erase(known->second.nodes, node);
}

std::optional<Time> NodeZones::next(const std::string& zone, Time now) const {
  const auto known = zones_.find(zone);
  if (known == zones_.end() || known->second.nodes.empty() || known->second.seconds_per_node == 0) {
    return std::nullopt;
  }
  if (!known->second.last) return now;
  return std::max(now,
                  *known->second.last + Duration::from_seconds(known->second.seconds_per_node));
}

std::string NodeZones::take(const std::string& zone, Time now) {
  Zone& known = zones_.at(zone);
  known.last = now;
  std::string node = std::move(known.nodes.front());
  known.nodes.pop_front();
  return node;
}

}  // namespace tabernetes::controllers
