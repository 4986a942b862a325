#include "controllers/shared/pod_owners.h"

namespace tabernetes::controllers {

void queue_selecting(const registry::Registry& registry, const registry::ResourceType& workloads,
                     std::string_view ns, const store::Record& selected, SelectorCache& selectors,
                     WorkQueue& queue, Time due) {
  const std::string prefix = workloads.collection_prefix(ns);
  registry.store().tree().scan(
      prefix, store::prefix_end(prefix), [&](std::string_view key, const store::RecordPtr& record) {
        const registry::LabelSelector* selector = selectors.selector_of(workloads, *record);
        const auto label = [&](std::string_view name) {
          return registry::label_of(selected, name);
        };
        if (selector != nullptr && !selector->empty() && selector->matches_by(label)) {
          queue.add(key, due);
        }
        return true;
      });
}

void queue_pod_owners(const registry::Registry& registry, const WatchEvent& change,
                      const registry::ResourceType& workloads, SelectorCache& selectors,
                      WorkQueue& queue) {
  const auto queue_owner = [&](const PodSummary& pod) {
    if (pod.controller_kind != workloads.resource->kind) return;
    queue.add(workloads.key(pod.ns, pod.controller_name), change.due_for(pod.controller_uid));
  };
  const PodSummary* before = change.pod_before;
  const PodSummary* now = change.pod;
  const bool moved =
      before != nullptr && now != nullptr && before->controller_uid != now->controller_uid;
  if (before != nullptr && (now == nullptr || moved)) queue_owner(*before);
  if (now == nullptr) return;
  if (!now->controller_uid.empty()) {
    queue_owner(*now);
    return;
  }
  const bool relabelled = before == nullptr || *before->labels != *now->labels;
  if (!now->deletion_timestamp && (moved || relabelled)) {
    queue_selecting(registry, workloads, now->ns, *now->record, selectors, queue, change.due());
  }
}

}  // namespace tabernetes::controllers
