// Pod.
#include <string>

#include "json/access.h"
#include "kinds/core/pod_create.h"
#include "kinds/core/pod_subresources.h"
#include "kinds/core/pod_validation.h"
#include "kinds/pod_template/warnings.h"
#include "kinds/row/kind.h"
#include "kinds/shared/addresses.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"
#include "registry/kind/warnings.h"
#include "registry/meta/conditions.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Value;

constexpr ResetFields kPodResets[] = {
    {"status", "spec metadata.deletionTimestamp metadata.ownerReferences"}};

bool has_condition(const Value& pod, std::string_view type, std::string_view member,
                   std::string_view text) {
  for (const Value& condition : items_at(pod, {"status", "conditions"})) {
    if (condition.string_at("type") == type && condition.string_at(member) == text) return true;
  }
  return false;
}

// The number of restarts of some containers, and the end of the last run.
struct Restarts {
  std::int64_t count = 0;
  std::string_view last_finished;  // RFC 3339 in UTC, so that texts sort by time

  void add(const Value& status) {
    count += number_at(status, {"restartCount"});
    const std::string_view finished = text_at(status, {"lastState", "terminated", "finishedAt"});
    if (finished > last_finished) last_finished = finished;
  }
};

struct Summary {
  std::string reason;
  std::int64_t ready = 0;
  std::int64_t total = 0;
  Restarts restarts;
};

bool is_restartable(const Value& container) {
  return container.string_at("restartPolicy") == "Always";
}

bool is_restartable_init(const Value& pod, std::string_view name) {
  for (const Value& container : items_at(pod, {"spec", "initContainers"})) {
    if (container.string_at("name") == name) return is_restartable(container);
  }
  return false;
}

// Returns the reason, e.g. "Error", or else "Signal:9" or "ExitCode:2".
std::string termination_text(const Value& terminated) {
  const std::string_view reason = terminated.string_at("reason");
  if (!reason.empty()) return std::string(reason);
  const std::int64_t signal = number_at(terminated, {"signal"});
  if (signal != 0) return "Signal:" + std::to_string(signal);
  return "ExitCode:" + std::to_string(number_at(terminated, {"exitCode"}));
}

// Returns the reason for an init container that is not done; `index` is its position in the
// statuses.
std::string init_reason(const Value& pod, const Value& status, std::size_t index) {
  if (const Value* terminated = status.at({"state", "terminated"})) {
    return "Init:" + termination_text(*terminated);
  }
  const std::string_view waiting = text_at(status, {"state", "waiting", "reason"});
  if (!waiting.empty() && waiting != "PodInitializing") return "Init:" + std::string(waiting);
  return "Init:" + std::to_string(index) + "/" +
         std::to_string(items_at(pod, {"spec", "initContainers"}).size());
}

// Visits the init containers up to the first one that is not done. Returns true if there is one.
bool summarize_init_containers(const Value& pod, Summary& summary, Restarts& restartable) {
  const auto statuses = items_at(pod, {"status", "initContainerStatuses"});
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    const Value& status = statuses[i];
    const bool restarts = is_restartable_init(pod, status.string_at("name"));
    summary.restarts.add(status);
    if (restarts) restartable.add(status);
    if (has(status, {"state", "terminated"}) &&
        number_at(status, {"state", "terminated", "exitCode"}) == 0) {
      continue;
    }
    if (restarts && bool_at(status, {"started"})) {
      if (bool_at(status, {"ready"})) ++summary.ready;
      continue;
    }
    summary.reason = init_reason(pod, status, i);
    return true;
  }
  return false;
}

void summarize_containers(const Value& pod, Summary& summary) {
  bool has_running = false;
  std::string error_reason;
  const auto statuses = items_at(pod, {"status", "containerStatuses"});
  for (std::size_t i = statuses.size(); i-- > 0;) {
    const Value& status = statuses[i];
    summary.restarts.add(status);
    const std::string_view waiting = text_at(status, {"state", "waiting", "reason"});
    const Value* terminated = status.at({"state", "terminated"});
    if (!waiting.empty()) {
      summary.reason = std::string(waiting);
    } else if (terminated != nullptr && !terminated->is_null()) {
      summary.reason = termination_text(*terminated);
      if (number_at(*terminated, {"exitCode"}) != 0) error_reason = summary.reason;
    } else if (bool_at(status, {"ready"}) && has(status, {"state", "running"})) {
      has_running = true;
      ++summary.ready;
    }
  }
  if (summary.reason != "Completed") return;
  if (has_running && has_condition(pod, "Ready", "status", "True")) {
    summary.reason = "Running";
  } else if (!error_reason.empty()) {
    summary.reason = error_reason;
  } else if (has_running) {
    summary.reason = "NotReady";
  }
}

Summary summarize(const Value& pod) {
  Summary summary;
  const std::string_view phase = text_at(pod, {"status", "phase"});
  const std::string_view status_reason = text_at(pod, {"status", "reason"});
  summary.reason = std::string(status_reason.empty() ? phase : status_reason);
  if (has_condition(pod, "PodScheduled", "reason", "SchedulingGated")) {
    summary.reason = "SchedulingGated";
  }
  summary.total = items_at(pod, {"spec", "containers"}).size();
  for (const Value& container : items_at(pod, {"spec", "initContainers"})) {
    if (is_restartable(container)) ++summary.total;
  }

  Restarts restartable;
  const bool initializing = summarize_init_containers(pod, summary, restartable);
  if (!initializing || condition_is_true(pod, "Initialized")) {
    summary.restarts = restartable;
    summarize_containers(pod, summary);
  }

  if (has(pod, {"metadata", "deletionTimestamp"})) {
    if (status_reason == "NodeLost") {
      summary.reason = "Unknown";
    } else if (phase != "Failed" && phase != "Succeeded") {
      summary.reason = "Terminating";
    }
  }
  return summary;
}

std::string restarts_text(const Restarts& restarts, Row& row) {
  std::string text = std::to_string(restarts.count);
  if (restarts.count != 0 && !restarts.last_finished.empty()) {
    text += " (" + row.age_of(restarts.last_finished) + " ago)";
  }
  return text;
}

std::string readiness_gates_text(const Value& pod) {
  const auto gates = items_at(pod, {"spec", "readinessGates"});
  if (gates.empty()) return std::string(kNone);
  int open = 0;
  for (const Value& gate : gates) {
    if (condition_is_true(pod, gate.string_at("conditionType"))) ++open;
  }
  return std::to_string(open) + "/" + std::to_string(gates.size());
}

std::string_view first_ip(const Value& pod) {
  const auto ips = items_at(pod, {"status", "podIPs"});
  return ips.empty() ? std::string_view() : ips[0].string_at("ip");
}

void print_pod(const Value& pod, Row& row) {
  const Summary summary = summarize(pod);
  row.name(pod);
  row.text(std::to_string(summary.ready) + "/" + std::to_string(summary.total));
  row.text(summary.reason);
  row.text(restarts_text(summary.restarts, row));
  row.age(pod);
  row.text_or(first_ip(pod), kNone);
  row.text_or(text_at(pod, {"spec", "nodeName"}), kNone);
  row.text_or(text_at(pod, {"status", "nominatedNodeName"}), kNone);
  row.text(readiness_gates_text(pod));

  const std::string_view phase = text_at(pod, {"status", "phase"});
  if (phase == "Succeeded") {
    row.completed("Succeeded", "The pod has completed successfully.");
  } else if (phase == "Failed") {
    row.completed("Failed", "The pod failed.");
  }
}

void warn_of_pod(const Field& pod, const Value* old, Warnings& out) {
  // Updates are frequent, and rarely made by users.
  if (old != nullptr) return;
  warn_of_name(pod, "the Pod's hostname", out);
  warn_of_pod_at(pod, false, out);
}

void warn_of_pod_status(const Field& pod, const Value*, Warnings& out) {
  const Field status = pod["status"];
  for (const std::string_view name : {"podIPs", "hostIPs"}) {
    const Field list = status[name];
    for (const Field item : list.items()) warn_of_ip(item["ip"], out);
  }
}

}  // namespace

extern const Kind kPodKind{.group = "",
                           .kind = "Pod",
                           .strategy = {.meta_passes = {"CF", "UFCF", "UF"},
                                        .reset_fields = kPodResets,
                                        .generation = Generation::kSpec,
                                        .returns_deleted_object = true,
                                        .graceful_deletion = true,
                                        .watch_index = "spec.nodeName",
                                        .initial_status = R"({"phase":"Pending"})",
                                        .set_defaults = &set_pod_defaults,
                                        .prepare_for_create = &prepare_pod_for_create,
                                        .prepare_subresource = &prepare_pod_subresource,
                                        .validate_subresource = &validate_pod_subresource,
                                        .validate = &validate_pod,
                                        .validate_update = &validate_pod_update,
                                        .validate_status = &validate_pod_status,
                                        .warnings = &warn_of_pod,
                                        .status_warnings = &warn_of_pod_status},
                           .print = &print_pod};

}  // namespace tabernetes::registry::kinds
