// Which workloads a change of a pod concerns.
#pragma once

#include "controllers/loop/control_loop.h"
#include "controllers/loop/work_queue.h"
#include "controllers/shared/workload.h"

namespace tabernetes::controllers {

// Queues the workloads of a type, by their keys, that must look at the pod of a change: the one
// that controls it, the one that did, and for an orphan those whose selectors select it. REQUIRES:
// it is a change of a pod.
void queue_pod_owners(const registry::Registry& registry, const WatchEvent& change,
                      const registry::ResourceType& workloads, SelectorCache& selectors,
                      WorkQueue& queue);

// Queues the workloads of a namespace whose selectors select an object with these labels, except
// those with empty selectors.
void queue_selecting(const registry::Registry& registry, const registry::ResourceType& workloads,
                     std::string_view ns, const store::Record& selected, SelectorCache& selectors,
                     WorkQueue& queue, Time due);

}  // namespace tabernetes::controllers
