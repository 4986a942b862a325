// How workload controllers create and delete pods. Source: upstream 1.36
// pkg/controller/controller_utils.go (RealPodControl).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "controllers/shared/controller_ref.h"

namespace tabernetes::controllers {

// How many pods a controller creates or deletes at most in one reconciliation.
inline constexpr std::int64_t kBurstReplicas = 500;

// Returns a pod from a template: its labels, annotations, finalizers and spec, with the owner as
// controller and the generateName that follows from the owner's name. Shares the template's values.
json::Value pod_from_template(const Owner& owner, const json::Value& pod_template,
                              json::Arena& arena);

// Creates a pod for the owner and tells it by an event of the owner. `pod` is not changed; its
// values may be shared. Errors: those of the registry, which are told unless the namespace is being
// deleted; see is_namespace_terminating().
Result<void> create_pod(const ReconcileContext& cluster, const Owner& owner,
                        const json::Value& pod);

// Deletes a pod and tells it. Errors: 404, which is not told; others are told.
Result<void> delete_pod(const ReconcileContext& cluster, const Owner& owner,
                        std::string_view pod_name);

// Returns true if the error says that the namespace is being deleted, so that nothing can be
// created in it any more.
bool is_namespace_terminating(const ApiStatus& error);

// Calls `create()`, which returns a Result<void>, `count` times, in batches of 1, 2, 4 and so on:
// after a batch with failures there is no further one, so that what always fails is not tried too
// often. Returns the first error.
template <typename Create>
Result<void> slow_start_batch(std::int64_t count, const Create& create) {
  std::int64_t left = count;
  for (std::int64_t batch = std::min<std::int64_t>(left, 1); batch > 0;
       batch = std::min(2 * batch, left)) {
    Result<void> result;
    for (std::int64_t i = 0; i < batch; ++i) {
      Result<void> created = create();
      if (!created && result) result = std::move(created);
    }
    if (!result) return result;
    left -= batch;
  }
  return {};
}

}  // namespace tabernetes::controllers
