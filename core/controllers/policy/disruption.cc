#include "controllers/policy/disruption.h"

#include <algorithm>

#include "base/go/text.h"
#include "base/time/rfc3339.h"
#include "controllers/policy/expected_pods.h"
#include "controllers/shared/event_recorder.h"
#include "controllers/shared/objects.h"
#include "controllers/shared/workload.h"
#include "json/access.h"
#include "json/fill.h"
#include "registry/meta/conditions.h"
#include "registry/selectors/selector_object.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr std::string_view kSource = "controllermanager";
// How long a granted eviction counts if the pod is not deleted.
constexpr Duration kDeletionTimeout = Duration::from_seconds(120);
constexpr Duration kStaleTarget = Duration::from_seconds(120);

const registry::ResourceType& budgets_type(const registry::Registry& registry) {
  return *registry.resources().find("policy", "v1", "poddisruptionbudgets");
}
const registry::ResourceType& pods_type(const registry::Registry& registry) {
  return *registry.resources().find("", "v1", "pods");
}

// Returns nullopt, which selects nothing, for a missing selector; an empty one selects everything.
std::optional<registry::LabelSelector> selector_of(const Value& budget) {
  const Value* selector = budget.at({"spec", "selector"});
  if (selector == nullptr) return std::nullopt;
  return registry::read_label_selector(*selector);
}

struct Counts {
  std::int64_t expected = 0, desired = 0, healthy = 0;
  bool some_unmanaged = false;
  std::string error;
};

void count_expected(const ReconcileContext& cluster, const Value& spec,
                    const std::vector<Value>& pods, Counts& counts) {
  const Value* most_missing = spec.find("maxUnavailable");
  const Value* fewest = spec.find("minAvailable");
  if (most_missing == nullptr && fewest == nullptr) return;
  if (most_missing == nullptr && fewest->is_int()) {
    counts.expected = static_cast<std::int64_t>(pods.size());
    counts.desired = fewest->as_int();
    return;
  }
  const ExpectedPods expected = expected_pods(cluster, pods);
  counts.error = expected.error;
  counts.some_unmanaged = expected.some_unmanaged;
  counts.expected = expected.count;
  counts.desired =
      most_missing == nullptr
          ? scaled_value(fewest, expected.count, Round::kUp)
          : std::max<std::int64_t>(
                0, expected.count - scaled_value(most_missing, expected.count, Round::kUp));
}

// Granted evictions of existing pods that are not deleted yet.
struct Disrupted {
  Value pods;                     // name to time
  std::optional<Time> next_over;  // when the first of them expires
};

Disrupted still_disrupted(const ReconcileContext& cluster, const Value& budget,
                          const std::vector<Value>& pods) {
  Disrupted still{Value::object(cluster.arena), std::nullopt};
  const Value* granted = budget.at({"status", "disruptedPods"});
  if (granted == nullptr) return still;
  for (const Value& pod : pods) {
    const std::string_view name = pod.find("metadata")->string_at("name");
    const Value* when = granted->find(name);
    if (when == nullptr || is_terminating(pod)) continue;
    const auto time = parse_rfc3339(when->as_string());
    const Time over = (time ? *time : cluster.now) + kDeletionTimeout;
    if (over < cluster.now) {
      const std::string ns(pod.find("metadata")->string_at("namespace"));
      record_event(cluster, {&pods_type(cluster.registry), ns, name},
                   {kSource, "Warning", "NotDeleted",
                    "Pod was expected by PDB " + ns + "/" + ns + " to be deleted but it wasn't"});
      continue;
    }
    if (!still.next_over || over < *still.next_over) still.next_over = over;
    still.pods.set(cluster.arena, name, *when);
  }
  return still;
}

std::int64_t count_healthy(const std::vector<Value>& pods, const Value& disrupted) {
  return std::count_if(pods.begin(), pods.end(), [&](const Value& pod) {
    return !is_terminating(pod) && registry::condition_is_true(pod, "Ready") &&
           disrupted.find(pod.find("metadata")->string_at("name")) == nullptr;
  });
}

void set_allowed(const ReconcileContext& cluster, Value& status, std::string_view state,
                 std::string_view reason, std::string_view message) {
  registry::set_condition(
      status,
      {"DisruptionAllowed", state, reason, message, number_at(status, {"observedGeneration"})},
      cluster.now, cluster.arena);
}

void fill_status(const ReconcileContext& cluster, const Counts& counts, const Value& disrupted,
                 Value& budget) {
  json::Arena& arena = cluster.arena;
  Value& status = object_or_new(budget, "status", arena);
  if (!counts.error.empty()) {
    status.set(arena, "disruptionsAllowed", Value::integer(0));
    set_allowed(cluster, status, "False", "SyncFailed", counts.error);
    return;
  }
  const std::int64_t spare = counts.healthy - counts.desired;
  const std::int64_t allowed = counts.expected <= 0 || spare <= 0 ? 0 : spare;
  status.set(arena, "observedGeneration",
             Value::integer(number_at(budget, {"metadata", "generation"})));
  status.set(arena, "disruptionsAllowed", Value::integer(allowed));
  status.set(arena, "currentHealthy", Value::integer(counts.healthy));
  status.set(arena, "desiredHealthy", Value::integer(counts.desired));
  status.set(arena, "expectedPods", Value::integer(counts.expected));
  if (disrupted.size() == 0) {
    status.erase("disruptedPods");
  } else {
    status.set(arena, "disruptedPods", disrupted);
  }
  set_allowed(cluster, status, allowed > 0 ? "True" : "False",
              allowed > 0 ? "SufficientPods" : "InsufficientPods", "");
}

// Formats a selector like Go prints the struct.
std::string go_text(const Value* selector) {
  std::string labels, requirements;
  const Value* matched = selector == nullptr ? nullptr : selector->find("matchLabels");
  if (matched != nullptr) {
    for (const json::Member& label : matched->members()) {
      labels.append(label.key).append(": ").append(label.value.as_string()).append(",");
    }
  }
  const Value* expressions = selector == nullptr ? nullptr : selector->find("matchExpressions");
  for (std::uint32_t i = 0; expressions != nullptr && i < expressions->size(); ++i) {
    const Value& expression = expressions->items()[i];
    std::string values;
    if (const Value* list = expression.find("values")) {
      for (const Value& value : list->items()) {
        values.append(values.empty() ? "" : " ").append(value.as_string());
      }
    }
    requirements.append("LabelSelectorRequirement{Key:").append(expression.string_at("key"));
    requirements.append(",Operator:").append(expression.string_at("operator"));
    requirements.append(",Values:[").append(values).append("],},");
  }
  return "&LabelSelector{MatchLabels:map[string]string{" + labels +
         "},MatchExpressions:[]LabelSelectorRequirement{" + requirements + "},}";
}

// Returns when the pod's condition DisruptionTarget becomes stale, because the announced deletion
// does not happen; nullopt if it has no such condition, or one that stays valid.
std::optional<Time> stale_from(const Value& pod) {
  const Value* condition = registry::find_condition(pod, "DisruptionTarget");
  const std::string_view phase = pod.at({"status", "phase"}) == nullptr
                                     ? std::string_view()
                                     : pod.find("status")->string_at("phase");
  if (is_terminating(pod) || condition == nullptr || condition->string_at("status") != "True" ||
      condition->string_at("reason") == "TerminationByKubelet" || phase == "Succeeded" ||
      phase == "Failed") {
    return std::nullopt;
  }
  const auto since = parse_rfc3339(condition->string_at("lastTransitionTime"));
  return since ? std::optional(*since + kStaleTarget) : std::nullopt;
}

}  // namespace

void Disruption::resync() {
  budgets_.clear();
  pods_.clear();
  chosen_.clear();
}

std::optional<Time> Disruption::next() const {
  std::optional<Time> first;
  for (const WorkQueue* queue : {&budgets_, &chosen_, &pods_}) {
    const std::optional<Time> next = queue->next();
    if (next && (!first || *next < *first)) first = next;
  }
  return first;
}

void Disruption::on_change(const registry::Registry& registry, const WatchEvent& change) {
  if (is_resource(change.type, "policy", "poddisruptionbudgets")) {
    if (change.now != nullptr) {
      budgets_.add(change.type.key(change.ns, change.name), change.due());
    }
  } else if (is_resource(change.type, "", "pods")) {
    observe_pod(registry, change);
  }
}

// Queues the first budget that selects the pod; of several, upstream takes any.
void Disruption::observe_pod(const registry::Registry& registry, const WatchEvent& change) {
  const store::Record& pod = change.now != nullptr ? *change.now : *change.before;
  // Searches the status only, which follows the metadata.
  const std::size_t from = registry::offsets_of(pod).metadata_end;
  if (change.now != nullptr && pod.bytes.find("DisruptionTarget", from) != std::string::npos) {
    json::Arena arena;
    const auto stale = stale_from(registry::read_object(change.type, pod, arena));
    if (stale) pods_.add(change.type.key(change.ns, change.name), std::max(*stale, change.due()));
  }
  const registry::ResourceType& budgets = budgets_type(registry);
  const std::string prefix = budgets.collection_prefix(change.ns);
  const store::Tree& tree = registry.store().tree();
  if (tree.count(prefix, store::prefix_end(prefix)) == 0) return;
  std::string chosen;
  tree.scan(prefix, store::prefix_end(prefix),
            [&](std::string_view key, const store::RecordPtr& record) {
              json::Arena arena;
              const auto selector = selector_of(registry::read_object(budgets, *record, arena));
              if (!selector || !selects(*selector, pod)) return true;
              if (!chosen.empty()) {
                chosen_.add(std::string(change.name) + " " + chosen, change.due());
                return false;
              }
              chosen = key;
              budgets_.add(key, change.due());
              return true;
            });
}

void Disruption::tell_of_choice(const ReconcileContext& cluster, std::string_view choice) {
  const std::size_t space = choice.find(' ');
  const auto [ns, budget] =
      registry::split_key(budgets_type(cluster.registry), choice.substr(space + 1));
  const std::string pod(choice.substr(0, space));
  const std::string ns_text(ns), budget_text(budget);
  record_event(cluster, {&pods_type(cluster.registry), ns_text, pod},
               {kSource, "Warning", "MultiplePodDisruptionBudgets",
                "Pod " + go_quote(ns_text) + "/" + go_quote(pod) +
                    " matches multiple PodDisruptionBudgets.  Chose " + go_quote(budget_text) +
                    " arbitrarily."});
}

void Disruption::reconcile_due(const ReconcileContext& cluster) {
  if (const auto key = budgets_.take(cluster.due)) {
    update_budget(cluster, *key);
  } else if (const auto choice = chosen_.take(cluster.due)) {
    tell_of_choice(cluster, *choice);
  } else if (const auto pod = pods_.take(cluster.due)) {
    reset_stale_target(cluster, *pod);
  }
}

void Disruption::update_budget(const ReconcileContext& cluster, std::string_view key) {
  const registry::ResourceType& type = budgets_type(cluster.registry);
  const auto [ns, name] = registry::split_key(type, key);
  const registry::ObjectRef ref{&type, ns, name};
  const Value budget = cluster.read(ref);
  if (budget.is_null()) return;

  std::vector<Value> pods;
  if (const auto selector = selector_of(budget)) {
    const registry::ResourceType& pod_type = pods_type(cluster.registry);
    const std::string prefix = pod_type.collection_prefix(ns);
    cluster.registry.store().tree().scan(
        prefix, store::prefix_end(prefix), [&](std::string_view, const store::RecordPtr& record) {
          if (selects(*selector, *record)) {
            pods.push_back(
                registry::read_object(pod_type, *record, cluster.arena).clone(cluster.arena));
          }
          return true;
        });
  }
  if (pods.empty())
    record_event(cluster, ref, {kSource, "Normal", "NoPods", "No matching pods found"});
  Counts counts;
  count_expected(cluster, *budget.find("spec"), pods, counts);
  if (!counts.error.empty()) {
    record_event(cluster, ref,
                 {kSource, "Warning", "CalculateExpectedPodCountFailed",
                  "Failed to calculate the number of expected pods: " + counts.error});
  }
  if (counts.some_unmanaged) {
    record_event(
        cluster, ref,
        {kSource, "Warning", "UnmanagedPods",
         "Pods selected by this PodDisruptionBudget (selector: " +
             go_text(budget.at({"spec", "selector"})) +
             ") were found to be unmanaged. As a result, the status of the PDB cannot be "
             "calculated correctly, which may result in undefined behavior. To account for "
             "these pods please set \".spec.minAvailable\" field of the PDB to an integer "
             "value."});
  }
  const Disrupted disrupted = still_disrupted(cluster, budget, pods);
  counts.healthy = count_healthy(pods, disrupted.pods);
  (void)cluster.registry.update(cluster.context("status"), ref, registry::Subresource::kStatus,
                                [&](const Value* stored) -> Result<Value> {
                                  Value object = stored->clone(cluster.arena);
                                  fill_status(cluster, counts, disrupted.pods, object);
                                  return object;
                                });
  if (disrupted.next_over) budgets_.add(key, *disrupted.next_over + kReactionDelay);
}

void Disruption::reset_stale_target(const ReconcileContext& cluster, std::string_view key) {
  const registry::ResourceType& type = pods_type(cluster.registry);
  const auto [ns, name] = registry::split_key(type, key);
  const registry::ObjectRef ref{&type, ns, name};
  const Value pod = cluster.read(ref);
  const std::optional<Time> stale = pod.is_null() ? std::nullopt : stale_from(pod);
  if (!stale) return;
  if (*stale > cluster.now) {
    pods_.add(key, *stale);
    return;
  }
  (void)cluster.registry.update(
      cluster.context("status"), ref, registry::Subresource::kStatus,
      [&](const Value* stored) -> Result<Value> {
        Value object = stored->clone(cluster.arena);
        const Value* known = registry::find_condition(object, "DisruptionTarget");
        registry::set_condition(object_or_new(object, "status", cluster.arena),
                                {.type = "DisruptionTarget",
                                 .status = "False",
                                 .observed_generation = number_at(*known, {"observedGeneration"})},
                                cluster.now, cluster.arena);
        return object;
      });
}

}  // namespace tabernetes::controllers
