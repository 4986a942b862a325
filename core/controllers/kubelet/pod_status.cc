#include "controllers/kubelet/pod_status.h"

#include <algorithm>
#include <string>

#include "base/go/text.h"
#include "base/time/rfc3339.h"
#include "json/access.h"
#include "registry/meta/conditions.h"

namespace tabernetes::controllers::kubelet {
namespace {

using json::Value;

// --- The phase

// Returns true if the container has ended, or waits to be started again.
bool has_ended(const Container& container) {
  return container.terminated() || (container.waiting() && last_termination(container) != nullptr);
}

std::int64_t end_code(const Container& container) {
  if (container.terminated()) return container.exit_code;
  const Value* last = last_termination(container);
  return last == nullptr ? 0 : number_at(*last, {"exitCode"});
}

struct Counts {
  int initialising = 0, starting_sidecars = 0;
  int running = 0, waiting = 0, ended = 0, ended_for_good = 0, succeeded = 0;
  bool init_failed = false;
};

void count_init(const Value& pod, const Container& container, Counts& counts) {
  if (!has_ended(container)) {
    ++counts.initialising;
  } else if (end_code(container) != 0 && !is_restarted(container, pod, end_code(container))) {
    counts.init_failed = true;
  }
}

void count_sidecar(const Container& container, Counts& counts) {
  if (container.running()) {
    ++counts.running;
    if (!container.is_started) ++counts.starting_sidecars;
  } else if (!has_ended(container)) {
    ++counts.starting_sidecars;
    ++counts.waiting;
  }
}

void count_main(const Value& pod, const Container& container, Counts& counts) {
  if (container.running()) {
    ++counts.running;
  } else if (has_ended(container)) {
    ++counts.ended;
    if (!is_restarted(container, pod, end_code(container))) ++counts.ended_for_good;
    if (container.terminated() && container.exit_code == 0) ++counts.succeeded;
  } else {
    ++counts.waiting;
  }
}

bool has_begun(const Container& container) {
  return container.role == Role::kMain && (container.running() || has_ended(container));
}

// --- Conditions

// Prints names as Go prints a slice: "[a b]".
std::string in_brackets(const std::vector<std::string_view>& names) {
  std::string text;
  for (const std::string_view name : names) text.append(text.empty() ? "" : " ").append(name);
  return "[" + text + "]";
}

struct Verdict {
  bool holds = true;
  std::string_view reason = {};
  std::string message = {};
};

Verdict initialised(const PodFacts& facts) {
  if (facts.phase == "Succeeded") return {true, "PodCompleted"};
  if (std::any_of(facts.containers.begin(), facts.containers.end(), has_begun)) return {};
  std::vector<std::string_view> incomplete;
  for (const Container& container : facts.containers) {
    const bool done = container.role == Role::kSidecar ? container.is_started : container.ready;
    if ((container.role == Role::kInit || container.role == Role::kSidecar) && !done) {
      incomplete.push_back(container.name);
    }
  }
  if (incomplete.empty()) return {};
  return {false, "ContainersNotInitialized",
          "containers with incomplete status: " + in_brackets(incomplete)};
}

Verdict containers_ready(const PodFacts& facts) {
  if (facts.phase == "Succeeded") return {false, "PodCompleted"};
  if (facts.phase == "Failed") return {false, "PodFailed"};
  std::vector<std::string_view> unready;
  for (const Container& container : facts.containers) {
    const bool counts = container.role == Role::kMain || container.role == Role::kSidecar;
    if (counts && !container.ready) unready.push_back(container.name);
  }
  if (unready.empty()) return {};
  return {false, "ContainersNotReady", "containers with unready status: " + in_brackets(unready)};
}

Verdict pod_ready(const PodFacts& facts, const Verdict& containers) {
  if (!containers.holds || facts.opens_gates) return containers;
  std::string message;
  for (const Value& gate : items_at(facts.pod, {"spec", "readinessGates"})) {
    const std::string_view type = gate.string_at("conditionType");
    const Value* condition = registry::find_condition(facts.pod, type);
    const std::string_view status =
        condition == nullptr ? std::string_view() : condition->string_at("status");
    if (status == "True") continue;
    if (!message.empty()) message += ", ";
    message += condition == nullptr ? "corresponding condition of pod readiness gate " +
                                          go_quote(type) + " does not exist."
                                    : "the status of pod readiness gate " + go_quote(type) +
                                          R"( is not "True", but )" + std::string(status);
  }
  if (message.empty()) return {};
  return {false, "ReadinessGatesNotReady", message};
}

constexpr std::string_view kOwnTypes[] = {"PodReadyToStartContainers",
                                          "Initialized",
                                          "Ready",
                                          "ContainersReady",
                                          "PodScheduled",
                                          "PodResizeInProgress",
                                          "PodResizePending",
                                          "AllContainersRestarting"};

bool is_own(std::string_view type) {
  return std::find(std::begin(kOwnTypes), std::end(kOwnTypes), type) != std::end(kOwnTypes);
}

Value condition_of(const PodFacts& facts, std::string_view type, const Verdict& verdict, Time now,
                   json::Arena& arena) {
  const std::string_view status = verdict.holds ? "True" : "False";
  const Value* before = registry::find_condition(facts.pod, type);
  const bool stays = before != nullptr && before->string_at("status") == status;
  Value condition = Value::object(arena);
  condition.append(arena, "type", Value::string(type));
  condition.append(arena, "observedGeneration",
                   Value::integer(number_at(facts.pod, {"metadata", "generation"})));
  condition.append(arena, "status", Value::string(status));
  condition.append(arena, "lastProbeTime", Value());
  condition.append(arena, "lastTransitionTime",
                   Value::string(stays ? before->string_at("lastTransitionTime")
                                       : arena.copy(format_rfc3339(now))));
  if (!verdict.reason.empty()) condition.append(arena, "reason", Value::string(verdict.reason));
  if (!verdict.message.empty()) {
    condition.append(arena, "message", Value::string(arena.copy(verdict.message)));
  }
  return condition;
}

}  // namespace

bool is_final(std::string_view phase) { return phase == "Succeeded" || phase == "Failed"; }

std::string_view phase_of(const Value& pod, const std::vector<Container>& containers, bool ends) {
  Counts counts;
  bool begun = false;
  for (const Container& container : containers) {
    if (container.role == Role::kInit) count_init(pod, container, counts);
    if (container.role == Role::kSidecar) count_sidecar(container, counts);
    if (container.role == Role::kMain) count_main(pod, container, counts);
    begun =
        begun || (container.role == Role::kMain && (container.running() || container.terminated()));
  }
  if (counts.init_failed) return "Failed";
  if (counts.initialising > 0 || (counts.starting_sidecars > 0 && !begun)) return "Pending";
  if (counts.waiting > 0) return "Pending";
  if (counts.running > 0) return "Running";
  if (counts.ended == 0) return "Pending";
  if (!ends && counts.ended != counts.ended_for_good) return "Running";
  return counts.ended == counts.succeeded ? "Succeeded" : "Failed";
}

Value conditions_of(const PodFacts& facts, Time now, json::Arena& arena) {
  Value conditions = Value::array(arena);
  const Verdict containers = containers_ready(facts);
  const auto opened = [&](std::string_view type) {
    const auto gates = items_at(facts.pod, {"spec", "readinessGates"});
    return facts.opens_gates && containers.holds &&
           std::any_of(gates.begin(), gates.end(),
                       [&](const Value& gate) { return gate.string_at("conditionType") == type; });
  };
  for (const Value& condition : items_at(facts.pod, {"status", "conditions"})) {
    const std::string_view type = condition.string_at("type");
    if (!is_own(type) && !opened(type)) conditions.push_back(arena, condition);
  }
  for (const Value& gate : items_at(facts.pod, {"spec", "readinessGates"})) {
    const std::string_view type = gate.string_at("conditionType");
    if (!is_own(type) && opened(type)) {
      conditions.push_back(arena, condition_of(facts, type, {}, now, arena));
    }
  }
  const auto add = [&](std::string_view type, const Verdict& verdict) {
    conditions.push_back(arena, condition_of(facts, type, verdict, now, arena));
  };
  if (facts.resizing) add("PodResizeInProgress", {});
  add("PodReadyToStartContainers", {facts.has_sandbox});
  add("Initialized", initialised(facts));
  add("Ready", pod_ready(facts, containers));
  add("ContainersReady", containers);
  add("PodScheduled", {});
  return conditions;
}

}  // namespace tabernetes::controllers::kubelet
