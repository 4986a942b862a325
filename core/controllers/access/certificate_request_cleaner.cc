#include "controllers/access/certificate_request_cleaner.h"

#include <algorithm>

#include "controllers/shared/objects.h"
#include "controllers/shared/ticks.h"
#include "json/access.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr Duration kCleaningInterval = Duration::from_seconds(60 * 60);
constexpr Duration kKeptAnswered = Duration::from_seconds(60 * 60);
constexpr Duration kKeptPending = Duration::from_seconds(24 * 60 * 60);

bool is_older(std::optional<Time> time, Duration age, Time now) {
  return time && *time + age < now;
}

bool is_past_deadline(const Value& request, Time now) {
  const auto conditions = items_at(request, {"status", "conditions"});
  if (conditions.empty()) {
    return is_older(time_at(request, {"metadata", "creationTimestamp"}), kKeptPending, now);
  }
  const bool issued = !text_at(request, {"status", "certificate"}).empty();
  return std::any_of(conditions.begin(), conditions.end(), [&](const Value& condition) {
    const std::string_view type = condition.string_at("type");
    const bool waits = type == "Approved" && !issued;
    if (type != "Approved" && type != "Denied" && type != "Failed") return false;
    return is_older(time_at(condition, {"lastUpdateTime"}), waits ? kKeptPending : kKeptAnswered,
                    now);
  });
}

}  // namespace

void CertificateRequestCleaner::on_change(const registry::Registry&, const WatchEvent& change) {
  if (change.now == nullptr || !is(change.type, kCertificateRequests)) return;
  queue_.add("", next_tick(change.due(), kCleaningInterval), Recurrence::kPeriodic);
}

void CertificateRequestCleaner::reconcile(const ReconcileContext& cluster, const std::string&) {
  bool any_left = false;
  for (const Value& request : list(cluster, kCertificateRequests)) {
    if (is_past_deadline(request, cluster.now)) {
      (void)delete_object(cluster, ref_of(cluster, kCertificateRequests, request));
    } else {
      any_left = true;
    }
  }
  if (!any_left) return;
  queue_.add("", next_tick(cluster.now + kReactionDelay, kCleaningInterval), Recurrence::kPeriodic);
}

}  // namespace tabernetes::controllers
