#include "controllers/autoscaling/replica_calculator.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "base/api/quantity.h"
#include "controllers/shared/objects.h"
#include "json/access.h"
#include "registry/meta/conditions.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr Resource kApiServices{"apiregistration.k8s.io", "v1", "apiservices"};
constexpr std::string_view kMetricsApi = "v1beta1.metrics.k8s.io";

// How long after its start a pod's CPU counts only while it is ready.
constexpr Duration kCpuInitialization = Duration::from_seconds(300);
constexpr Duration kInitialReadinessDelay = Duration::from_seconds(30);

struct Metric {
  Time time;
  Duration window;
  std::int64_t value = 0;  // in thousandths
};
using Metrics = std::map<std::string, Metric, std::less<>>;  // by pod

std::optional<Metric> metric_of(const PodUsage::Sample& sample, const MeasuredResource& measured) {
  Metric metric{sample.time, sample.window, 0};
  bool found = false;
  for (const PodUsage::Container& container : sample.containers) {
    if (!measured.container.empty() && measured.container != container.name) continue;
    found = true;
    if (measured.resource == "cpu") {
      metric.value += container.milli_cpu;
    } else if (measured.resource == "memory") {
      metric.value += container.memory_bytes * 1000;
    } else {
      return std::nullopt;
    }
  }
  return found ? std::optional(metric) : std::nullopt;
}

// Returns the metrics of pods, or why there are none.
std::string read_metrics(const ReconcileContext& cluster, const MeasuredResource& measured,
                         Metrics& metrics) {
  const std::string prefix =
      "unable to get metrics for resource " + std::string(measured.resource) + ": ";
  if (cluster.usage == nullptr || get(cluster, kApiServices, {}, kMetricsApi).is_null()) {
    return prefix +
           "unable to fetch metrics from resource metrics API: the server could not find the "
           "requested resource (get pods.metrics.k8s.io)";
  }
  bool any = false;
  for (const Value& pod : measured.pods) {
    const auto sample = cluster.usage->usage_of(pod, cluster.now);
    if (!sample) continue;
    any = true;
    if (const auto metric = metric_of(*sample, measured)) metrics.emplace(name_of(pod), *metric);
  }
  return any ? std::string() : prefix + "no metrics returned from resource metrics API";
}

struct Grouped {
  std::int64_t ready = 0;
  std::set<std::string_view> unready, missing;
};

bool is_cpu_unready(const Value& pod, const Metric& metric, Time now) {
  const Value* ready = registry::find_condition(pod, "Ready");
  const auto started = time_at(pod, {"status", "startTime"});
  if (ready == nullptr || !started) return true;
  const bool is_false = ready->string_at("status") == "False";
  const Time since = time_at(*ready, {"lastTransitionTime"}).value_or(Time());
  if (now < *started + kCpuInitialization) return is_false || metric.time < since + metric.window;
  return is_false && since < *started + kInitialReadinessDelay;
}

// Sorts the pods by whether their metrics count, and drops those that do not.
Grouped group_pods(const MeasuredResource& measured, Metrics& metrics, Time now) {
  Grouped groups;
  for (const Value& pod : measured.pods) {
    const std::string_view name = name_of(pod);
    const std::string_view phase = text_at(pod, {"status", "phase"});
    const auto metric = metrics.find(name);
    if (is_terminating(pod) || phase == "Failed") {
      if (metric != metrics.end()) metrics.erase(metric);
      continue;
    }
    if (phase == "Pending") {
      groups.unready.insert(name);
    } else if (metric == metrics.end()) {
      groups.missing.insert(name);
      continue;
    } else if (measured.resource == "cpu" && is_cpu_unready(pod, metric->second, now)) {
      groups.unready.insert(name);
    } else {
      ++groups.ready;
      continue;
    }
    if (metric != metrics.end()) metrics.erase(metric);
  }
  return groups;
}

using Requests = std::map<std::string, std::int64_t, std::less<>>;

std::optional<std::int64_t> milli_at(const Value& object, std::string_view list,
                                     std::string_view resource) {
  const Value* amount = object.at({"resources", list, resource});
  std::string_view error;
  if (amount == nullptr || !amount->is_string()) return std::nullopt;
  const auto quantity = Quantity::parse(amount->as_string(), error);
  return quantity ? std::optional(quantity->milli_value()) : std::nullopt;
}

// Returns what is missing, or an empty text.
std::string add_request(const Value& pod, const MeasuredResource& measured, Requests& requests) {
  const std::string name(name_of(pod));
  if (measured.container.empty()) {
    if (const auto all = milli_at(*pod.find("spec"), "requests", measured.resource)) {
      requests[name] = *all;
      return {};
    }
  }
  std::int64_t sum = 0;
  bool found = false;
  for (const std::string_view list : {"containers", "initContainers"}) {
    for (const Value& container : items_at(pod, {"spec", list})) {
      if (list == "initContainers" && container.string_at("restartPolicy") != "Always") continue;
      const std::string_view container_name = container.string_at("name");
      if (!measured.container.empty() && measured.container != container_name) continue;
      found = true;
      const auto request = milli_at(container, "requests", measured.resource);
      if (!request) {
        return "missing request for " + std::string(measured.resource) + " in container " +
               std::string(container_name) + " of Pod " + name;
      }
      sum += *request;
    }
  }
  if (!found && !measured.container.empty()) {
    return "container " + std::string(measured.container) + " not found in Pod " + name;
  }
  requests[name] = sum;
  return {};
}

struct Ratio {
  std::string error;
  double ratio = 0;
  std::int64_t utilization = 0, average = 0;
};

// What distinguishes a target in percent from one in units.
struct Target {
  std::int64_t value;
  const Requests* requests;  // null: a target in units

  Ratio ratio(const Metrics& metrics) const {
    std::int64_t used = 0, requested = 0, count = 0;
    for (const auto& [pod, metric] : metrics) {
      if (requests != nullptr) {
        const auto request = requests->find(pod);
        if (request == requests->end()) continue;
        requested += request->second;
      }
      used += metric.value;
      ++count;
    }
    if (requests == nullptr) {
      const std::int64_t average = used / count;
      return {{}, static_cast<double>(average) / static_cast<double>(value), 0, average};
    }
    if (requested == 0) return {.error = "no metrics returned matched known pods"};
    const std::int64_t utilization = used * 100 / requested;
    return {{},
            static_cast<double>(utilization) / static_cast<double>(value),
            utilization,
            used / count};
  }
  // Returns what a pod without metrics is thought to use when there is to be less.
  std::int64_t fallback(std::string_view pod) const {
    if (requests == nullptr) return value;
    const auto request = requests->find(pod);
    const std::int64_t amount = request == requests->end() ? 0 : request->second;
    return amount * std::max<std::int64_t>(100, value) / 100;
  }
};

ReplicaProposal propose(const MeasuredResource& measured, Metrics metrics, const Grouped& groups,
                        const Target& target) {
  const Ratio first = target.ratio(metrics);
  if (!first.error.empty()) return {.error = first.error};
  ReplicaProposal proposal{{}, measured.current_replicas, first.utilization, first.average};
  const bool up_with_unready = !groups.unready.empty() && first.ratio > 1.0;
  if (!up_with_unready && groups.missing.empty()) {
    if (!measured.tolerances.covers(first.ratio)) {
      proposal.replicas =
          static_cast<std::int64_t>(std::ceil(first.ratio * static_cast<double>(groups.ready)));
    }
    return proposal;
  }
  // What is not known is assumed so that it slows the change.
  for (const std::string_view pod : groups.missing) {
    if (first.ratio == 1.0) break;
    metrics[std::string(pod)].value = first.ratio < 1.0 ? target.fallback(pod) : 0;
  }
  if (up_with_unready) {
    for (const std::string_view pod : groups.unready) metrics[std::string(pod)].value = 0;
  }
  const Ratio second = target.ratio(metrics);
  if (!second.error.empty()) return {.error = second.error};
  const bool turns =
      (first.ratio < 1.0 && second.ratio > 1.0) || (first.ratio > 1.0 && second.ratio < 1.0);
  if (measured.tolerances.covers(second.ratio) || turns) return proposal;
  const auto replicas =
      static_cast<std::int64_t>(std::ceil(second.ratio * static_cast<double>(metrics.size())));
  const bool contradicts = (second.ratio < 1.0 && replicas > measured.current_replicas) ||
                           (second.ratio > 1.0 && replicas < measured.current_replicas);
  if (!contradicts) proposal.replicas = replicas;
  return proposal;
}

// Reads and groups; returns why nothing can be proposed.
std::string prepare(const ReconcileContext& cluster, const MeasuredResource& measured,
                    Metrics& metrics, Grouped& groups) {
  std::string error = read_metrics(cluster, measured, metrics);
  if (!error.empty()) return error;
  if (measured.pods.empty()) return "no pods returned by selector while calculating replica count";
  groups = group_pods(measured, metrics, cluster.now);
  if (metrics.empty()) {
    return "did not receive metrics for targeted pods (pods might be unready)";
  }
  return {};
}

}  // namespace

ReplicaProposal propose_for_utilization(const ReconcileContext& cluster,
                                        const MeasuredResource& measured, std::int64_t target) {
  Metrics metrics;
  Grouped groups;
  std::string error = prepare(cluster, measured, metrics, groups);
  if (!error.empty()) return {.error = std::move(error)};
  Requests requests;
  for (const Value& pod : measured.pods) {
    error = add_request(pod, measured, requests);
    if (!error.empty()) return {.error = std::move(error)};
  }
  return propose(measured, std::move(metrics), groups, {target, &requests});
}

ReplicaProposal propose_for_average(const ReconcileContext& cluster,
                                    const MeasuredResource& measured, std::int64_t target) {
  Metrics metrics;
  Grouped groups;
  std::string error = prepare(cluster, measured, metrics, groups);
  if (!error.empty()) return {.error = std::move(error)};
  return propose(measured, std::move(metrics), groups, {target, nullptr});
}

}  // namespace tabernetes::controllers
