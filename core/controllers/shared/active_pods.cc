#include "controllers/shared/active_pods.h"

#include <bit>
#include <map>
#include <string_view>

#include "base/algorithm/sort.h"

namespace tabernetes::controllers {
namespace {

// Pending, then unknown, then running; finished ones count as pending.
int phase_rank(PodPhase phase) {
  if (phase == PodPhase::kUnknown) return 1;
  return phase == PodPhase::kRunning ? 2 : 0;
}

// Returns the logarithm of an age to base 2; -1 if there is none.
int age_rank(Time since, Time now) {
  const std::int64_t age = (now - since).nanoseconds;
  return age > 0 ? static_cast<int>(std::bit_width(static_cast<std::uint64_t>(age))) - 1 : -1;
}

// Compares two times of the same kind: negative if the first pod comes first.
int compare_times(const std::optional<Time>& a, const std::optional<Time>& b, Time now,
                  const PodSummary& first, const PodSummary& second) {
  if (a == b) return 0;
  if (!a || !b) return a ? 1 : -1;  // one without a time counts as the newest
  const int difference = age_rank(*a, now) - age_rank(*b, now);
  return difference != 0 ? difference : first.uid.compare(second.uid);
}

struct Ranked {
  const PodSummary* pod = nullptr;
  int rank = 0;
};

bool dies_before(const Ranked& a, const Ranked& b, Time now) {
  const PodSummary& first = *a.pod;
  const PodSummary& second = *b.pod;
  if (first.node.empty() != second.node.empty()) return first.node.empty();
  const int phases = phase_rank(first.phase) - phase_rank(second.phase);
  if (phases != 0) return phases < 0;
  if (first.ready != second.ready) return !first.ready;
  if (first.deletion_cost != second.deletion_cost) {
    return first.deletion_cost < second.deletion_cost;
  }
  if (a.rank != b.rank) return a.rank > b.rank;
  if (first.ready) {
    const int ready = compare_times(first.ready_since, second.ready_since, now, first, second);
    if (ready != 0) return ready < 0;
  }
  if (first.restarts != second.restarts) return first.restarts > second.restarts;
  if (first.sidecar_restarts != second.sidecar_restarts) {
    return first.sidecar_restarts > second.sidecar_restarts;
  }
  return compare_times(first.creation_timestamp, second.creation_timestamp, now, first, second) < 0;
}

}  // namespace

void sort_for_deletion(Informers::Pods& pods, const Informers::Pods& related, Time now) {
  std::map<std::string_view, int> on_node;
  for (const PodSummary* pod : related) {
    if (pod->active()) ++on_node[pod->node];
  }
  std::vector<Ranked> ranked;
  ranked.reserve(pods.size());
  for (const PodSummary* pod : pods) {
    const auto found = on_node.find(pod->node);
    ranked.push_back({pod, found == on_node.end() ? 0 : found->second});
  }
  sort_stable(ranked, [&](const Ranked& a, const Ranked& b) { return dies_before(a, b, now); });
  for (std::size_t i = 0; i < pods.size(); ++i) pods[i] = ranked[i].pod;
}

}  // namespace tabernetes::controllers
