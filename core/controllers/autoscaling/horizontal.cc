#include "controllers/autoscaling/horizontal.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <vector>

#include "base/api/api_version.h"
#include "base/api/quantity.h"
#include "controllers/autoscaling/replica_calculator.h"
#include "controllers/shared/event_recorder.h"
#include "controllers/shared/objects.h"
#include "json/access.h"
#include "json/equality.h"
#include "json/fill.h"
#include "registry/life/scale.h"
#include "registry/meta/conditions.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr std::string_view kAutoscalerSource = "horizontal-pod-autoscaler";
constexpr Duration kAutoscalingInterval = Duration::from_seconds(15);
constexpr std::string_view kNoCustomMetrics =
    "unable to fetch metrics from custom metrics API: no custom metrics API "
    "(custom.metrics.k8s.io) registered";

// The target's scale, or why there is none.
struct TargetScale {
  std::string error;
  registry::ObjectRef ref;
  std::int64_t wanted = 0;
  std::string selector = {};
};

TargetScale scale_of_target(const ReconcileContext& cluster, const Value& autoscaler) {
  const Value& target = *autoscaler.at({"spec", "scaleTargetRef"});
  const auto [group, version] = split_api_version(target.string_at("apiVersion"));
  const std::string kind(target.string_at("kind"));
  const registry::ResourceType* type = nullptr;
  for (const registry::ResourceType* candidate : cluster.registry.resources().all()) {
    if (candidate->resource->group == group && candidate->resource->kind == kind &&
        candidate->stores()) {
      type = candidate;
    }
  }
  if (type == nullptr) {
    return {.error =
                "no matches for kind \"" + kind + "\" in group \"" + std::string(group) + "\""};
  }
  TargetScale scale{{}, {type, namespace_of(autoscaler), target.string_at("name")}};
  const Value object = cluster.read(scale.ref);
  if (type->resource->find_subresource("scale") == nullptr) {
    scale.error = "the server could not find the requested resource";
  } else if (object.is_null()) {
    scale.error = errors::not_found(type->group_resource(), scale.ref.name)->message;
  } else {
    const Value read = registry::scale_of(*type, object, cluster.arena);
    scale.wanted = number_at(read, {"spec", "replicas"});
    scale.selector = text_at(read, {"status", "selector"});
  }
  return scale;
}

Result<void> write_scale(const ReconcileContext& cluster, const TargetScale& target,
                         std::int64_t replicas) {
  registry::WriteContext context = cluster.context("scale");
  context.tracks_fields = false;
  const schema::Subresource* subresource = target.ref.type->resource->find_subresource("scale");
  auto updated = cluster.registry.update(
      context, target.ref, registry::Subresource::kNone, [&](const Value* stored) -> Result<Value> {
        if (stored == nullptr) {
          return errors::not_found(target.ref.type->group_resource(), target.ref.name);
        }
        Value scale = registry::scale_of(*target.ref.type, *stored, cluster.arena);
        object_or_new(scale, "spec", cluster.arena)
            .set(cluster.arena, "replicas", Value::integer(replicas));
        return registry::apply_scale({cluster.registry, context, target.ref, *subresource->type},
                                     *stored, scale);
      });
  if (!updated) return std::move(updated).failure();
  return {};
}

// Returns a quantity of thousandths.
std::string milli_text(std::string_view resource, std::int64_t milli) {
  if (resource == "memory") {
    return Quantity::of((milli + 999) / 1000, Quantity::Notation::kBinarySi).to_string();
  }
  std::string_view error;
  return Quantity::parse(std::to_string(milli) + "m", error).value_or(Quantity()).to_string();
}

Tolerances tolerances_of(const Value& autoscaler) {
  Tolerances tolerances;
  const auto read = [&](std::string_view rules, double& tolerance) {
    const Value* given = autoscaler.at({"spec", "behavior", rules, "tolerance"});
    std::string_view error;
    if (given == nullptr || !given->is_string()) return;
    const auto quantity = Quantity::parse(given->as_string(), error);
    if (quantity) tolerance = static_cast<double>(quantity->milli_value()) / 1000;
  };
  read("scaleDown", tolerances.down);
  read("scaleUp", tolerances.up);
  return tolerances;
}

// What a metric calls for.
struct MetricProposal {
  std::int64_t replicas = 0;
  std::string name;    // of the metric
  Value status;        // an item of status.currentMetrics
  std::string reason;  // of the failure; empty: none
  std::string condition_error, error;
};

// One evaluation of an autoscaler.
class Evaluation {
 public:
  Evaluation(const ReconcileContext& cluster, const Value& autoscaler, ScaleHistory& history,
             ScaledSelectors& selectors)
      : cluster_(cluster),
        arena_(cluster.arena),
        ref_(ref_of(cluster, kAutoscalers, autoscaler)),
        autoscaler_(autoscaler),
        history_(history),
        selectors_(selectors) {
    const Value* status = autoscaler.find("status");
    status_ = status == nullptr ? Value::object(arena_) : status->clone(arena_);
  }

  void run() {
    evaluate();
    (void)update_status(cluster_, ref_,
                        [&](Value& object) { object.set(arena_, "status", status_); });
    // Told after the status is written, like upstream's.
    if (!failure_.empty()) tell("Warning", "FailedComputeMetricsReplicas", failure_);
  }

 private:
  void tell(std::string_view type, std::string_view reason, std::string_view message) {
    record_event(cluster_, ref_, {kAutoscalerSource, type, reason, message});
  }

  void set_condition(std::string_view type, std::string_view status, std::string_view reason,
                     std::string_view message) {
    registry::set_condition(
        status_,
        {.type = type, .status = status, .reason = reason, .message = arena_.copy(message)},
        cluster_.now, arena_);
  }

  void set_status(std::int64_t current, std::int64_t desired, const Value& metrics, bool rescaled) {
    set_count(status_, "currentReplicas", current, arena_);
    status_.set(arena_, "desiredReplicas", Value::integer(desired));
    status_.set(arena_, "currentMetrics", metrics);
    if (rescaled) status_.set(arena_, "lastScaleTime", time_value(cluster_.now, arena_));
  }

  void evaluate() {
    const TargetScale target = scale_of_target(cluster_, autoscaler_);
    if (!target.error.empty()) {
      tell("Warning", "FailedGetScale", target.error);
      set_condition(
          "AbleToScale", "False", "FailedGetScale",
          "the HPA controller was unable to get the target's current scale: " + target.error);
      return;
    }
    set_condition("AbleToScale", "True", "SucceededGetScale",
                  "the HPA controller was able to get the target's current scale");
    const std::int64_t current = target.wanted;
    if (history_.recommendations.empty()) {
      history_.recommendations.push_back({cluster_.now, current});
    }
    const Value* given = autoscaler_.at({"spec", "minReplicas"});
    const std::int64_t least = given != nullptr && given->is_int() ? given->as_int() : 1;
    const std::int64_t most = number_at(autoscaler_, {"spec", "maxReplicas"});
    if (current == 0 && least != 0) {
      set_condition("ScalingActive", "False", "ScalingDisabled",
                    "scaling is disabled since the replica count of the target is zero");
      set_status(current, 0, {}, false);
    } else if (current > most) {
      rescale(target, most, "Current number of replicas above Spec.MaxReplicas", {});
    } else if (current < least) {
      rescale(target, least, "Current number of replicas below Spec.MinReplicas", {});
    } else {
      follow_metrics(target, least, most);
    }
  }

  void rescale(const TargetScale& target, std::int64_t replicas, std::string_view reason,
               const Value& metrics) {
    const std::string what =
        "New size: " + std::to_string(replicas) + "; reason: " + std::string(reason);
    const auto written = write_scale(cluster_, target, replicas);
    if (!written) {
      const std::string& error = written.error().message;
      tell("Warning", "FailedRescale", what + "; error: " + error);
      set_condition("AbleToScale", "False", "FailedUpdateScale",
                    "the HPA controller was unable to update the target scale: " + error);
      set_status(target.wanted, number_at(status_, {"desiredReplicas"}), metrics, false);
      return;
    }
    set_condition(
        "AbleToScale", "True", "SucceededRescale",
        "the HPA controller was able to update the target scale to " + std::to_string(replicas));
    tell("Normal", "SuccessfulRescale", what);
    history_.note(target.wanted, replicas, cluster_.now);
    set_status(target.wanted, replicas, metrics, true);
  }

  static bool selects_any(const registry::LabelSelector& selector, const std::vector<Value>& pods) {
    return std::any_of(pods.begin(), pods.end(), [&](const Value& pod) {
      return selector.matches_by([&](std::string_view key) {
        const Value* label = pod.at({"metadata", "labels", key});
        return label == nullptr ? std::nullopt : std::optional(label->as_string());
      });
    });
  }

  // Returns the pods that the target's selector selects; nullopt, with a failure, if it is
  // unusable or another autoscaler scales some of them.
  std::optional<std::vector<Value>> pods_of(const TargetScale& target) {
    const auto selector = selector_of(target);
    if (!selector) return std::nullopt;
    const std::string key = queue_key(autoscaler_);
    selectors_[key] = *selector;
    std::vector<Value> pods = list(cluster_, kPods, ref_.ns, *selector);
    std::string all;
    int count = 0;
    for (const auto& [other, others] : selectors_) {
      if (split_queue_key(other).first != ref_.ns || !selects_any(others, pods)) continue;
      all.append(all.empty() ? "" : " ").append(other);
      ++count;
    }
    if (count <= 1) return pods;
    failure_ =
        "pods by selector " + target.selector + " are controlled by multiple HPAs: [" + all + "]";
    tell("Warning", "AmbiguousSelector", failure_);
    set_condition("ScalingActive", "False", "AmbiguousSelector", failure_);
    return std::nullopt;
  }

  // Returns the selector of the target's pods; nullopt, with a failure, if it is unusable.
  std::optional<registry::LabelSelector> selector_of(const TargetScale& target) {
    if (target.selector.empty()) {
      failure_ = "selector is required";
      tell("Warning", "SelectorRequired", failure_);
      set_condition("ScalingActive", "False", "InvalidSelector",
                    "the HPA target's scale is missing a selector");
      return std::nullopt;
    }
    auto selector = registry::parse_label_selector(target.selector);
    if (selector) return *std::move(selector);
    failure_ = "couldn't convert selector into a corresponding internal selector object: " +
               selector.error().message;
    tell("Warning", "InvalidSelector", failure_);
    set_condition("ScalingActive", "False", "InvalidSelector", failure_);
    return std::nullopt;
  }

  void follow_metrics(const TargetScale& target, std::int64_t least, std::int64_t most) {
    const auto found = pods_of(target);
    if (!found) {
      set_status(target.wanted, number_at(status_, {"desiredReplicas"}), {}, false);
      return;
    }
    const std::vector<Value>& pods = *found;
    Value statuses = Value::array(arena_);
    std::int64_t desired = 0, count = 0, invalid = 0;
    std::string metric;
    std::optional<MetricProposal> first_invalid;
    for (const Value& spec : items_at(autoscaler_, {"spec", "metrics"})) {
      ++count;
      MetricProposal proposal = propose(spec, target, pods);
      statuses.push_back(arena_, proposal.status);
      if (!proposal.reason.empty()) {
        ++invalid;
        tell("Warning", proposal.reason, proposal.condition_error);
        if (!first_invalid) first_invalid = std::move(proposal);
      } else if (desired == 0 || proposal.replicas > desired) {
        desired = proposal.replicas;
        metric = proposal.name;
      }
    }
    if (invalid >= count || (invalid > 0 && desired < target.wanted)) {
      failure_ = "invalid metrics (" + std::to_string(invalid) + " invalid out of " +
                 std::to_string(count) + "), first error is: " + first_invalid->error;
      set_condition(
          "ScalingActive", "False", first_invalid->reason,
          "the HPA was unable to compute the replica count: " + first_invalid->condition_error);
      set_status(target.wanted, number_at(status_, {"desiredReplicas"}), statuses, false);
      return;
    }
    set_condition("ScalingActive", "True", "ValidMetricFound",
                  "the HPA was able to successfully calculate a replica count from " + metric);
    std::string reason;
    if (desired > target.wanted) reason = metric + " above target";
    if (desired < target.wanted) reason = "All metrics below target";
    const LimitedScale limited =
        limit_scale({target.wanted, desired, least, most}, autoscaler_.at({"spec", "behavior"}),
                    cluster_.now, history_);
    set_condition("AbleToScale", "True", limited.able_reason, limited.able_message);
    set_condition("ScalingLimited", limited.is_limited ? "True" : "False", limited.limit_reason,
                  limited.limit_message);
    if (limited.replicas != target.wanted) {
      rescale(target, limited.replicas, reason, statuses);
    } else {
      set_status(target.wanted, target.wanted, statuses, false);
    }
  }

  MetricProposal propose(const Value& spec, const TargetScale& target,
                         const std::vector<Value>& pods) {
    const std::string_view type = spec.string_at("type");
    if (type == "Resource") return propose_resource(spec, "resource", target, pods);
    if (type == "ContainerResource") {
      return propose_resource(spec, "containerResource", target, pods);
    }
    return propose_foreign(spec, type);
  }

  // Metrics of the custom and the external metrics API, which is not served.
  MetricProposal propose_foreign(const Value& spec, std::string_view type) {
    MetricProposal proposal;
    proposal.status = unknown_metric();
    if (type == "Pods") {
      const std::string name(text_at(spec, {"pods", "metric", "name"}));
      proposal.reason = "FailedGetPodsMetric";
      proposal.condition_error =
          "unable to get metric " + name + ": " + std::string(kNoCustomMetrics);
      proposal.error = "failed to get pods metric value: " + proposal.condition_error;
    } else if (type == "Object") {
      const std::string name(text_at(spec, {"object", "metric", "name"}));
      const std::string kind(text_at(spec, {"object", "describedObject", "kind"}));
      proposal.reason = "FailedGetObjectMetric";
      proposal.condition_error = "unable to get metric " + name + ": " + kind + " on " +
                                 std::string(ref_.ns) + " " +
                                 std::string(text_at(spec, {"object", "describedObject", "name"})) +
                                 "/" + std::string(kNoCustomMetrics);
      proposal.error = "failed to get object metric value: failed to get " + name +
                       " object metric: " + proposal.condition_error;
    } else {
      const std::string name(text_at(spec, {"external", "metric", "name"}));
      proposal.reason = "FailedGetExternalMetric";
      proposal.condition_error =
          "unable to get external metric " + std::string(ref_.ns) + "/" + name + "/" +
          selector_text(spec.at({"external", "metric", "selector"})) +
          ": unable to fetch metrics from external metrics API: the server could not find the "
          "requested resource (get " +
          name + ".external.metrics.k8s.io)";
      proposal.error = "failed to get " + name + " external metric value: failed to get " + name +
                       " external metric: " + proposal.condition_error;
    }
    return proposal;
  }

  // Prints a selector as Go prints the struct.
  static std::string selector_text(const Value* selector) {
    if (selector == nullptr) return "nil";
    std::string labels;
    for (const json::Member& label : members_at(*selector, {"matchLabels"})) {
      labels.append(label.key).append(": ").append(label.value.as_string()).append(",");
    }
    return "&LabelSelector{MatchLabels:map[string]string{" + labels +
           "},MatchExpressions:[]LabelSelectorRequirement{},}";
  }

  Value unknown_metric() const {
    Value status = Value::object(arena_);
    status.append(arena_, "type", Value::string(""));
    return status;
  }

  MetricProposal propose_resource(const Value& spec, std::string_view member,
                                  const TargetScale& target, const std::vector<Value>& pods) {
    const bool of_container = member == "containerResource";
    const Value& source = *spec.find(member);
    const std::string resource(source.string_at("name"));
    const MeasuredResource measured{source.string_at("name"), source.string_at("container"), pods,
                                    target.wanted, tolerances_of(autoscaler_)};
    MetricProposal result;
    ReplicaProposal proposal;
    std::string prefix;
    Value current = Value::object(arena_);
    if (const Value* average = source.at({"target", "averageValue"})) {
      std::string_view error;
      const auto wanted = Quantity::parse(text_of(average), error);
      proposal = propose_for_average(cluster_, measured, wanted ? wanted->milli_value() : 1);
      prefix = "failed to get " + resource + " usage: ";
      result.name = resource + " resource";
    } else {
      proposal = propose_for_utilization(cluster_, measured,
                                         number_at(source, {"target", "averageUtilization"}));
      prefix = "failed to get " + resource + " utilization: ";
      result.name = resource + (of_container ? " container resource" : " resource") +
                    " utilization (percentage of request)";
      current.append(arena_, "averageUtilization", Value::integer(proposal.utilization));
    }
    if (!proposal.error.empty()) {
      result.status = unknown_metric();
      result.reason = of_container ? "FailedGetContainerResourceMetric" : "FailedGetResourceMetric";
      result.condition_error = prefix + proposal.error;
      result.error = of_container ? "failed to get " + std::string(measured.container) +
                                        " container metric value: " + result.condition_error
                                  : "failed to get " + resource +
                                        " resource metric value: " + result.condition_error;
      return result;
    }
    result.replicas = proposal.replicas;
    current.append(arena_, "averageValue",
                   text_value(milli_text(resource, proposal.average), arena_));
    result.status =
        object_of({{"type", Value::string(of_container ? "ContainerResource" : "Resource")},
                   {member, object_of({{"name", text_value(resource, arena_)},
                                       {"container", Value::string(measured.container)},
                                       {"current", current}},
                                      arena_)}},
                  arena_);
    return result;
  }

  const ReconcileContext& cluster_;
  json::Arena& arena_;
  registry::ObjectRef ref_;
  Value autoscaler_;
  ScaleHistory& history_;
  ScaledSelectors& selectors_;
  Value status_;
  std::string failure_;  // why no number could be computed
};

}  // namespace

void HorizontalAutoscaling::on_change(const registry::Registry&, const WatchEvent& change) {
  if (!is(change.type, kAutoscalers)) return;
  const std::string key = queue_key(change.ns, change.name);
  if (change.now == nullptr) {
    histories_.erase(key);
    selectors_.erase(key);
  } else {
    // Nobody waits for what comes again by itself, every 15 seconds.
    const bool is_new =
        change.before == nullptr || !json::deep_equal(*change.object_before.get().find("spec"),
                                                      *change.object_now.get().find("spec"));
    queue_.add(key, change.time + kAutoscalingInterval,
               is_new ? Recurrence::kOnce : Recurrence::kPeriodic);
  }
}

void HorizontalAutoscaling::reconcile(const ReconcileContext& cluster, const std::string& key) {
  const auto [ns, name] = split_queue_key(key);
  const Value autoscaler = get(cluster, kAutoscalers, ns, name);
  if (autoscaler.is_null()) return;
  Evaluation(cluster, autoscaler, histories_[key], selectors_).run();
  queue_.add(key, cluster.now + kAutoscalingInterval, Recurrence::kPeriodic);
}

}  // namespace tabernetes::controllers
