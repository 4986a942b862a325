#include "controllers/nodes/node_ttl.h"

#include <limits>

#include "controllers/shared/objects.h"
#include "json/access.h"
#include "json/fill.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr std::string_view kTtlAnnotation = "node.alpha.kubernetes.io/ttl";

// From which size on a cluster is of a smaller or larger step. They overlap, so that a cluster at a
// boundary does not go to and fro.
struct ClusterSize {
  int least, most, seconds;
};
constexpr ClusterSize kClusterSizes[] = {
    {0, 100, 0},
    {90, 500, 15},
    {450, 1000, 30},
    {900, 2000, 60},
    {1800, std::numeric_limits<int>::max(), 300},
};

}  // namespace

void NodeTtl::on_change(const registry::Registry&, const WatchEvent& change) {
  if (!is(change.type, kNodes)) return;
  if (change.before == nullptr && ++count_ > kClusterSizes[step_].most) ++step_;
  if (change.now == nullptr) {
    if (--count_ < kClusterSizes[step_].least) --step_;
    return;
  }
  queue_.add(change.name, change.due());
}

void NodeTtl::reconcile(const ReconcileContext& cluster, const std::string& key) {
  const Value node = get(cluster, kNodes, {}, key);
  const std::string seconds = std::to_string(kClusterSizes[step_].seconds);
  if (node.is_null() || text_at(node, {"metadata", "annotations", kTtlAnnotation}) == seconds) {
    return;
  }
  (void)update(cluster, ref_of(cluster, kNodes, node), [&](Value& object) {
    object_or_new(*object.find("metadata"), "annotations", cluster.arena)
        .set(cluster.arena, kTtlAnnotation, text_value(seconds, cluster.arena));
  });
}

}  // namespace tabernetes::controllers
