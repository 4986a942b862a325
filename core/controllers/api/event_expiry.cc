#include "controllers/api/event_expiry.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "base/time/rfc3339.h"
#include "json/access.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr std::int64_t kLeaseSeconds = 60;
constexpr std::string_view kEventsPrefix = "core/events/";

Time end_of_lease(Time written) {
  const std::int64_t minute = written.unix_seconds() / kLeaseSeconds;
  return Time::from_unix_milliseconds((minute + 1) * kLeaseSeconds * 1000) + kEventTtl;
}

// Returns when an Event was last written, as it tells.
Time last_written(const Value& event) {
  Time last;
  const auto take = [&](std::string_view text) {
    last = std::max(last, parse_rfc3339(text).value_or(last));
  };
  take(text_at(event, {"metadata", "creationTimestamp"}));
  take(event.string_at("lastTimestamp"));
  for (const Value& entry : items_at(event, {"metadata", "managedFields"})) {
    take(entry.string_at("time"));
  }
  return last;
}

}  // namespace

void EventExpiry::on_change(const registry::Registry&, const WatchEvent& change) {
  if (change.now == nullptr || !change.key.starts_with(kEventsPrefix)) return;
  Time written = change.time;
  if (change.anew) {
    // One whose hour is over gets another one, as leases do when etcd starts.
    const Time told = std::min(last_written(change.object()), change.time);
    if (change.time < end_of_lease(told)) written = told;
  }
  store::Revision& newest = leases_[end_of_lease(written)];
  newest = std::max(newest, change.now->revision);
}

std::optional<Time> EventExpiry::next() const {
  return leases_.empty() ? std::nullopt : std::optional<Time>(leases_.begin()->first);
}

void EventExpiry::reconcile_due(const ReconcileContext& cluster) {
  const store::Revision newest = leases_.begin()->second;
  leases_.erase(leases_.begin());
  if (cluster.host != nullptr && cluster.host->storage_expires) return;
  store::Store& store = cluster.registry.store();
  std::vector<store::RecordPtr> ended;
  store.tree().scan(kEventsPrefix, store::prefix_end(kEventsPrefix),
                    [&](std::string_view, const store::RecordPtr& record) {
                      if (record->revision <= newest) ended.push_back(record);
                      return true;
                    });
  for (const store::RecordPtr& record : ended) (void)store.remove(record->key, record->revision);
}

}  // namespace tabernetes::controllers
