// Reading workloads and writing their status.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "controllers/loop/control_loop.h"
#include "json/value.h"
#include "registry/selectors/label_selector.h"

namespace tabernetes::controllers {

// Returns the type of a resource. REQUIRES: it is built in.
const registry::ResourceType& built_in(const registry::Registry& registry, std::string_view group,
                                       std::string_view version, std::string_view plural);

enum class Round { kUp, kDown };
// Returns a count, or a percentage of `total`; 0 for null.
std::int64_t scaled_value(const json::Value* int_or_percent, std::int64_t total, Round round);

// Returns the selector of a workload: a LabelSelector or, of a ReplicationController, a map of
// labels. Returns nullopt if there is none or it is invalid.
std::optional<registry::LabelSelector> workload_selector(const json::Value& workload);

// Whether a selector matches pods of which many have the same labels, one after the other.
class RepeatedMatch {
 public:
  // REQUIRES: `selector` outlives this object, and each pod the next call.
  explicit RepeatedMatch(const registry::LabelSelector& selector) : selector_(selector) {}

  bool operator()(const PodSummary& pod) {
    if (!known_ || (labels_ != pod.labels.get() && *labels_ != *pod.labels)) {
      known_ = pod.matches(selector_);
    }
    labels_ = pod.labels.get();
    return *known_;
  }

 private:
  const registry::LabelSelector& selector_;
  const std::string* labels_ = nullptr;
  std::optional<bool> known_;
};

// Selectors of workloads, read once for each of their versions. Only a cache.
class SelectorCache {
 public:
  // Returns the selector of the workload in a record, or null. Valid until the next call.
  const registry::LabelSelector* selector_of(const registry::ResourceType& type,
                                             const store::Record& record);
  void clear() { known_.clear(); }

 private:
  struct Known {
    store::Revision revision = 0;
    std::optional<registry::LabelSelector> selector;
  };
  std::map<std::string, Known, std::less<>> known_;
};

// Conditions as workload controllers keep them: the one that changes moves to the end.

// Returns the condition in `status`.conditions, or null.
const json::Value* condition_in(const json::Value& status, std::string_view type);
void remove_condition(json::Value& status, std::string_view type, json::Arena& arena);
// Removes the condition of that type and appends `condition`.
void move_condition_to_end(json::Value& status, const json::Value& condition, json::Arena& arena);

// Sets a count that is left out when it is 0.
void set_count(json::Value& status, std::string_view key, std::int64_t count, json::Arena& arena);

// Returns the time as the API writes it.
json::Value time_value(Time time, json::Arena& arena);

// Replaces the status of an object, and of its metadata what the kind lets a status write change.
// Errors: 409 if the object was written since it was read; others of the registry.
Result<void> update_status(const ReconcileContext& cluster, const registry::ResourceType& type,
                           const json::Value& object);
// Replaces the whole object but its status, in the same way.
Result<store::RecordPtr> update_object(const ReconcileContext& cluster,
                                       const registry::ResourceType& type,
                                       const json::Value& object);

}  // namespace tabernetes::controllers
