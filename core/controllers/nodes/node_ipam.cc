#include "controllers/nodes/node_ipam.h"

#include <charconv>
#include <optional>

#include "controllers/shared/event_recorder.h"
#include "controllers/shared/objects.h"
#include "json/access.h"
#include "json/fill.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr std::string_view kClusterRange = "10.244.";
constexpr std::string_view kRangeEnd = ".0/24";

// Returns the number of one of our ranges, or nullopt.
std::optional<std::size_t> range_number(std::string_view range) {
  if (!range.starts_with(kClusterRange) || !range.ends_with(kRangeEnd)) return std::nullopt;
  range.remove_prefix(kClusterRange.size());
  range.remove_suffix(kRangeEnd.size());
  unsigned number = 0;
  const auto [end, error] = std::from_chars(range.data(), range.data() + range.size(), number);
  if (error != std::errc() || end != range.data() + range.size() || number > 255) {
    return std::nullopt;
  }
  return number;
}

}  // namespace

void NodeIpam::release(std::string_view node) {
  const auto known = of_node_.find(node);
  if (known == of_node_.end()) return;
  used_.reset(known->second);
  of_node_.erase(known);
}

void NodeIpam::on_change(const registry::Registry&, const WatchEvent& change) {
  if (!is(change.type, kNodes)) return;
  if (change.now == nullptr) {
    release(change.name);
    return;
  }
  const std::string_view range = text_at(change.object_now.get(), {"spec", "podCIDR"});
  if (range.empty()) {
    queue_.add(change.name, change.due());
  } else if (const auto number = range_number(range)) {
    used_.set(*number);
    of_node_[std::string(change.name)] = *number;
  }
}

void NodeIpam::reconcile(const ReconcileContext& cluster, const std::string& key) {
  const Value node = get(cluster, kNodes, {}, key);
  if (node.is_null() || !text_at(node, {"spec", "podCIDR"}).empty()) return;
  std::size_t number = 0;
  while (number < kRanges && used_.test(number)) ++number;
  if (number == kRanges) {
    record_event(cluster, type_of(cluster.registry, kNodes), node,
                 {"cidrAllocator", "Normal", "CIDRNotAvailable",
                  "Node " + key + " status is now: CIDRNotAvailable"});
    return;
  }
  const std::string range =
      std::string(kClusterRange) + std::to_string(number) + std::string(kRangeEnd);
  const auto updated = update(cluster, ref_of(cluster, kNodes, node), [&](Value& object) {
    Value& spec = object_or_new(object, "spec", cluster.arena);
    const Value text = text_value(range, cluster.arena);
    Value ranges = Value::array(cluster.arena);
    ranges.push_back(cluster.arena, text);
    spec.set(cluster.arena, "podCIDR", text);
    spec.set(cluster.arena, "podCIDRs", ranges);
  });
  if (!updated) return;
  used_.set(number);
  of_node_[key] = number;
}

}  // namespace tabernetes::controllers
