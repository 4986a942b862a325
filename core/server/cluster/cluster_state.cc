#include "server/cluster/cluster_state.h"

#include <algorithm>

#include "base/go/text.h"
#include "server/cluster/snapshot_document.h"

namespace tabernetes::server {
namespace {

void go_to(Cluster& cluster, store::Snapshot state) {
  cluster.store.restore(std::move(state));
  cluster.registry.on_state_replaced();
}

}  // namespace

void mark_initial_state(Cluster& cluster) {
  cluster.react();
  cluster.initial = cluster.store.snapshot();
}

void reset(Cluster& cluster) {
  go_to(cluster, {cluster.initial.tree, cluster.store.revision() + 1});
  cluster.metrics->reset();
  cluster.requests->clear();
  cluster.limits.forget_counts();
  (void)cluster.limits.table(cluster.store);  // every host begins to count at this moment
  cluster.written.clear();
}

Rope save(const Cluster& cluster) {
  return write_snapshot(*cluster.shown_resources(), {cluster.store.settled_snapshot(), cluster.now,
                                                     cluster.entropy.place(), cluster.behaviour});
}

Expected<void> restore(Cluster& cluster, std::string_view document) {
  auto saved = read_snapshot(cluster.server->built_in, document);
  if (!saved) return Fault{saved.error()};
  const store::Revision present = cluster.store.revision();
  store::Revision& revision = saved->objects.revision;
  const bool as_saved =
      !cluster.asked || (present == cluster.initial.revision && revision >= present);
  if (!as_saved) revision = std::max(revision, present) + 1;
  go_to(cluster, std::move(saved->objects));
  if (saved->random) cluster.entropy.go_to(*saved->random);
  cluster.set_behaviour(
      saved->behaviour ? std::move(saved->behaviour)
                       : controllers::kubelet::usual_behaviour(cluster.server->options.behaviour));
  cluster.advance(std::max(cluster.now, saved->now));
  return {};
}

Expected<void> compact(Cluster& cluster, std::string_view resource_version) {
  const auto invalid = [&](const std::string& why) {
    return Fault{"resourceVersion: Invalid value: " + go_quote(resource_version) + ": " + why};
  };
  store::Revision revision = cluster.store.settled_revision();
  if (!resource_version.empty()) {
    const GoParsedUint parsed = go_parse_uint(resource_version);
    if (!parsed.error.empty()) return invalid(parsed.error);
    revision = parsed.value;
  }
  cluster.watches.prepare_for_compaction();
  const bool reached = revision <= cluster.store.settled_revision();
  const auto compacted =
      reached ? cluster.store.compact(revision) : tl::make_unexpected(store::Error::kFuture);
  if (compacted) return {};
  if (compacted.error() == store::Error::kFuture) {
    return invalid("not reached yet: the cluster is at " +
                   std::to_string(cluster.store.settled_revision()));
  }
  return invalid("compacted already: the oldest version is " +
                 std::to_string(cluster.store.compacted_revision()));
}

}  // namespace tabernetes::server
