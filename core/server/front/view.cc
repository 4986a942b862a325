#include "server/front/view.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "server/front/admin.h"
#include "server/front/router.h"
#include "server/front/routes.h"

namespace tabernetes::server {
namespace {

// An immutable state of the store, with the past states that the store had cached.
class KeptObjects final : public Objects {
 public:
  explicit KeptObjects(const store::Store& store)
      : present_(store.settled_snapshot()),
        past_(store.cached_snapshots()),
        compacted_(store.compacted_revision()) {}

  const store::Tree& tree() const override { return present_.tree; }
  store::Revision revision() const override { return present_.revision; }

  tl::expected<store::Snapshot, Missing> at(store::Revision revision) const override {
    if (revision == present_.revision) return present_;
    if (revision < compacted_) return tl::make_unexpected(Missing::kCompacted);
    const auto kept = std::find_if(past_.begin(), past_.end(), [&](const store::Snapshot& state) {
      return state.revision == revision;
    });
    if (kept == past_.end()) return tl::make_unexpected(Missing::kNotAtHand);
    return *kept;
  }

 private:
  const store::Snapshot present_;
  const std::vector<store::Snapshot> past_;
  const store::Revision compacted_;
};

class ClusterView final : public View {
 public:
  explicit ClusterView(Cluster& cluster)
      : server_(cluster.server),
        audit_ids_(cluster.audit_ids),
        metrics_(cluster.metrics),
        requests_(cluster.requests),
        resources_(cluster.shown_resources()),
        authorizer_(cluster.shown_authorizer()),
        behaviour_(cluster.behaviour),
        objects_(cluster.store),
        storage_fault_(cluster.storage_fault),
        shared_(cluster.shared),
        faulty_(cluster.faults.any()),
        limits_(cluster.limits.table(cluster.store)),
        auditor_(cluster.auditor),
        aggregated_(cluster.aggregator.apis()) {}

  std::optional<Response> answer(const Request& request, Time now) const override {
    if (faulty_ || server_->asks_about_callers()) return std::nullopt;
    if (server_->options.admin && is_admin_path(request.target)) return std::nullopt;
    if (needs_writer(*resources_, request)) return std::nullopt;  // before any filter
    if (shared_ && asks_for_newest(*resources_, request)) return std::nullopt;
    const auto trail = make_trail(auditor_, request, now, audit_ids_);
    const ReadContext reading{.server = *server_,
                              .resources = *resources_,
                              .objects = objects_,
                              .authorizer = *authorizer_,
                              .behaviour = *behaviour_,
                              .now = now,
                              .storage = {storage_fault_.get(), shared_},
                              .audited = attempt_of(trail.get()),
                              .limited = {.table = limits_.get()},
                              .aggregated = aggregated_.get()};
    Routed routed = route(reading, nullptr, request);
    if (routed.needs_writer || routed.waits_for_revision != 0) return std::nullopt;
    if (routed.flow != nullptr) {
      routed.flow->answered_by_views->add(routed.seats, routed.unheard_write);
    }
    metrics_->count(routed.kind, routed.response.status, routed.response.body.size(), {});
    requests_->add(request, routed.response, now, std::move(routed.user));
    if (trail) {
      finish_trail(trail, routed.response, now);
    } else {
      add_audit_id(request, *audit_ids_, routed.response);
    }
    return std::move(routed.response);
  }

 private:
  const std::shared_ptr<const ServerContext> server_;
  const std::shared_ptr<AuditIds> audit_ids_;
  const std::shared_ptr<RequestMetrics> metrics_;
  const std::shared_ptr<RequestLog> requests_;
  const std::shared_ptr<const registry::ResourceTable> resources_;
  const std::shared_ptr<const auth::Authorizer> authorizer_;
  const std::shared_ptr<const controllers::kubelet::BehaviourRules> behaviour_;
  const KeptObjects objects_;
  const std::shared_ptr<const std::string> storage_fault_;
  const bool shared_;
  const bool faulty_;                              // only the writer counts requests
  const std::shared_ptr<const FlowTable> limits_;  // null: none
  const std::shared_ptr<const Auditor> auditor_;   // null: nothing is logged
  const std::shared_ptr<const AggregatedApis> aggregated_;
};

}  // namespace

std::shared_ptr<const View> make_view(Cluster& cluster) {
  return std::make_shared<const ClusterView>(cluster);
}

void add_audit_id(const Request& request, AuditIds& ids, Response& response) {
  // The client's own id is echoed unchecked. Source: spec/rest.md 5.8.
  const std::string_view sent = find_header(request.headers, "audit-id");
  response.headers.emplace_back("Audit-Id", sent.empty() ? ids.next() : std::string(sent));
}

std::shared_ptr<AuditTrail> make_trail(const std::shared_ptr<const Auditor>& auditor,
                                       const Request& request, Time begun,
                                       const std::shared_ptr<AuditIds>& ids) {
  return auditor == nullptr ? nullptr : std::make_shared<AuditTrail>(auditor, request, begun, ids);
}

Audited attempt_of(AuditTrail* trail) {
  if (trail == nullptr) return {};
  trail->begin_attempt();
  return {trail, &trail->notes()};
}

void finish_trail(const std::shared_ptr<AuditTrail>& trail, Response& response, const Time& now) {
  response.headers.emplace_back("Audit-Id", trail->id());
  AuditTrail::finish(trail, response, now);
}

}  // namespace tabernetes::server
