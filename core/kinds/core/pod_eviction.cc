#include "kinds/core/pod_eviction.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/time/rfc3339.h"
#include "json/access.h"
#include "json/fill.h"
#include "kinds/shared/selectors.h"
#include "registry/life/write.h"
#include "registry/meta/conditions.h"
#include "registry/meta/object_meta.h"
#include "registry/selectors/selector_object.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Value;

constexpr ObjectReader::Resource kBudgets{"policy", "v1", "poddisruptionbudgets"};
constexpr std::uint32_t kMaxDisruptedPods = 2000;
constexpr int kRetrySeconds = 10;

bool is_over(std::string_view phase) { return phase == "Succeeded" || phase == "Failed"; }

// Returns true for pods that a budget does not count.
bool is_not_counted(const Value& pod) {
  const std::string_view phase = text_at(pod, {"status", "phase"});
  return is_over(phase) || phase == "Pending" ||
         metadata_of(pod)->find("deletionTimestamp") != nullptr;
}

bool selects(const Value& budget, const Value& pod) {
  const Value* selector = budget.at({"spec", "selector"});
  if (selector == nullptr) return false;
  const auto parsed = read_label_selector(*selector);
  if (!parsed) return false;
  const Value* labels = metadata_of(pod)->find("labels");
  return parsed->matches_by([&](std::string_view key) -> std::optional<std::string_view> {
    const Value* value = labels == nullptr ? nullptr : labels->find(key);
    if (value == nullptr || !value->is_string()) return std::nullopt;
    return value->as_string();
  });
}

std::vector<Value> budgets_of(const Registry& registry, const Value& pod, json::Arena& arena) {
  std::vector<Value> budgets;
  const std::string_view ns = metadata_of(pod)->string_at("namespace");
  registry.each_object(kBudgets, arena, [&](const Value& budget) {
    if (metadata_of(budget)->string_at("namespace") == ns && selects(budget, pod)) {
      budgets.push_back(budget.clone(arena));
    }
  });
  return budgets;
}

// Returns the 429 error with the budget's reason as its cause.
Failure too_many_requests(const std::string& budget, std::string_view why, int retry_after) {
  ApiStatus status{.code = 429,
                   .reason = "TooManyRequests",
                   .message = "Cannot evict pod as it would violate the pod's disruption budget.",
                   .details = StatusDetails{},
                   .continue_token = {}};
  status.details->causes.push_back(
      {"DisruptionBudget", "The disruption budget " + budget + std::string(why), ""});
  status.details->retry_after_seconds = retry_after;
  return status;
}

Failure still_processed(const std::string& budget) {
  return too_many_requests(budget, " is still being processed by the server.", kRetrySeconds);
}

std::string why_none_allowed(const Value& budget) {
  constexpr std::string_view kNotNow = " does not allow evicting pods currently";
  const Value* condition = find_condition(budget, "DisruptionAllowed");
  const bool denied = condition != nullptr && condition->string_at("status") == "False" &&
                      !condition->string_at("message").empty();
  const std::string reason(denied ? condition->string_at("reason") : "");
  const std::string message(denied ? condition->string_at("message") : "");
  if (reason == "SyncFailed") {
    return std::string(kNotNow) + " because it failed sync: " + message;
  }
  const std::int64_t healthy = number_at(budget, {"status", "currentHealthy"});
  const std::int64_t desired = number_at(budget, {"status", "desiredHealthy"});
  if (healthy <= desired) {
    return " needs " + std::to_string(desired) + " healthy pods and has " +
           std::to_string(healthy) + " currently";
  }
  return std::string(kNotNow) + (denied ? " (" + reason + "): " + message : "");
}

Result<void> check_budget(const Value& budget) {
  const std::string name(metadata_of(budget)->string_at("name"));
  const std::int64_t allowed = number_at(budget, {"status", "disruptionsAllowed"});
  const auto forbidden = [&](std::string_view why) {
    return errors::forbidden({"policy", "poddisruptionbudget"}, name, why);
  };
  if (number_at(budget, {"status", "observedGeneration"}) <
      number_at(budget, {"metadata", "generation"})) {
    return still_processed(name);
  }
  if (allowed < 0) return forbidden("pdb disruptions allowed is negative");
  if (members_at(budget, {"status", "disruptedPods"}).size() > kMaxDisruptedPods) {
    return forbidden(
        "DisruptedPods map too big - too many evictions not confirmed by PDB controller");
  }
  if (allowed == 0) return too_many_requests(name, why_none_allowed(budget), 0);
  return {};
}

// Reduces the budget's disruptionsAllowed by one.
Result<void> charge(Registry& registry, const WriteContext& context, const Value& budget,
                    std::string_view pod) {
  TAB_CHECK(check_budget(budget));
  if (context.dry_run) return {};
  const ResourceType* type =
      registry.resources().find(kBudgets.group, kBudgets.version, kBudgets.plural);
  const ObjectRef ref{type, metadata_of(budget)->string_at("namespace"),
                      metadata_of(budget)->string_at("name")};
  json::Arena& arena = context.arena;
  const auto charged = [&](const Value* stored) -> Result<Value> {
    Value object = stored->clone(arena);
    Value& status = *object.find("status");
    const std::int64_t left = number_at(object, {"status", "disruptionsAllowed"}) - 1;
    status.set(arena, "disruptionsAllowed", Value::integer(left));
    if (left == 0) {
      set_condition(status,
                    {.type = "DisruptionAllowed",
                     .status = "False",
                     .reason = "InsufficientPods",
                     .observed_generation = number_at(object, {"status", "observedGeneration"})},
                    context.now, arena);
    }
    object_or_new(status, "disruptedPods", arena)
        .set(arena, pod, Value::string(arena.copy(format_rfc3339(context.now))));
    return object;
  };
  TAB_TRY(const Updated updated,
          registry.update(server_context(context, "status"), ref, Subresource::kStatus, charged));
  return {};
}

// Returns the preconditions without empty values, which only the deletion takes into account.
Preconditions without_empty(Preconditions wanted) {
  for (std::optional<std::string>* value : {&wanted.uid, &wanted.resource_version}) {
    if (*value && (*value)->empty()) value->reset();
  }
  return wanted;
}

// Adds the DisruptionTarget condition to the pod and deletes it.
Result<void> mark_and_delete(Registry& registry, const WriteContext& context, const ObjectRef& ref,
                             DeleteOptions options, const Result<DeleteOptions>& sent) {
  if (!context.dry_run) {
    const Preconditions given = without_empty(options.preconditions);
    const auto marked = [&](const Value* stored) -> Result<Value> {
      TAB_CHECK(check_preconditions(ref, given, *metadata_of(*stored)));
      Value pod = stored->clone(context.arena);
      set_condition(object_or_new(pod, "status", context.arena),
                    {.type = "DisruptionTarget",
                     .status = "True",
                     .reason = "EvictionByEvictionAPI",
                     .message = "Eviction API: evicting"},
                    context.now, context.arena);
      return pod;
    };
    TAB_TRY(const store::RecordPtr record, registry.rewrite(context, ref, marked));
    if (given.resource_version) {
      options.preconditions.resource_version = std::to_string(record->revision);
    }
  }
  if (!sent) return sent.error();
  options.admitted = true;
  TAB_TRY(const Deleted deleted, registry.remove(context, ref, options));
  return {};
}

// Returns true if an unhealthy pod may be evicted regardless of its budget.
bool may_evict_unhealthy(const Value& budget, const Value& pod) {
  if (condition_is_true(pod, "Ready")) return false;
  if (text_at(budget, {"spec", "unhealthyPodEvictionPolicy"}) == "AlwaysAllow") return true;
  const std::int64_t desired = number_at(budget, {"status", "desiredHealthy"});
  return desired > 0 && number_at(budget, {"status", "currentHealthy"}) >= desired;
}

}  // namespace

Result<void> evict_pod(Registry& registry, const WriteContext& context, const ObjectRef& ref,
                       const Result<DeleteOptions>& sent) {
  DeleteOptions options = sent ? *sent : DeleteOptions();
  TAB_TRY(const store::RecordPtr record, registry.get(ref));
  const Value pod = read_object(*ref.type, *record, context.arena);
  const bool version_given = options.preconditions.resource_version.has_value();
  const std::string version(metadata_of(pod)->string_at("resourceVersion"));
  if (is_not_counted(pod)) {
    const bool pending = text_at(pod, {"status", "phase"}) == "Pending" &&
                         metadata_of(pod)->find("deletionTimestamp") == nullptr;
    if (pending && !version_given) options.preconditions.resource_version = version;
    return mark_and_delete(registry, context, ref, std::move(options), sent);
  }
  const std::vector<Value> budgets = budgets_of(registry, pod, context.arena);
  if (budgets.size() > 1) {
    return errors::plain_error(
        "This pod has more than one PodDisruptionBudget, which the eviction "
        "subresource does not support.");
  }
  if (budgets.empty()) return mark_and_delete(registry, context, ref, std::move(options), sent);
  if (may_evict_unhealthy(budgets[0], pod)) {
    // The pod must be unchanged since it was read.
    if (!version_given) options.preconditions.resource_version = version;
  } else {
    TAB_CHECK(charge(registry, context, budgets[0], ref.name));
  }
  return mark_and_delete(registry, context, ref, std::move(options), sent);
}

}  // namespace tabernetes::registry::kinds
