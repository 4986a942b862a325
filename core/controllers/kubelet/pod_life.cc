#include <algorithm>
#include <utility>

#include "base/time/rfc3339.h"
#include "controllers/kubelet/life.h"
#include "controllers/kubelet/needed_objects.h"
#include "controllers/kubelet/pod_status.h"
#include "json/access.h"
#include "json/equality.h"
#include "registry/meta/conditions.h"

namespace tabernetes::controllers::kubelet {
namespace {

using json::Value;

}  // namespace

Life::Life(const Value& pod, const Surroundings& around)
    : pod_(pod),
      around_(around),
      name_(text_at(pod, {"metadata", "name"})),
      ns_(text_at(pod, {"metadata", "namespace"})),
      uid_(text_at(pod, {"metadata", "uid"})),
      generation_(number_at(pod, {"metadata", "generation"})),
      containers_(read_containers(pod)),
      pod_ip_(text_at(pod, {"status", "podIP"})) {
  const std::string_view started = text_at(pod, {"status", "startTime"});
  first_ = started.empty();
  start_time_ = parse_rfc3339(started).value_or(around.now);
  has_sandbox_ = registry::condition_is_true(pod, "PodReadyToStartContainers");
  for (Container& container : containers_) {
    container.behaviour = around.rules.behaviour_of(pod, container);
    has_init_ = has_init_ || container.role == Role::kInit || container.role == Role::kSidecar;
  }
  if (bool_at(pod, {"spec", "hostNetwork"}) && pod_ip_.empty()) pod_ip_ = around.node.host_ip;
}

bool Life::reached(Time time, Recurrence recurrence) {
  if (time <= around_.due) return true;
  if (!out_.next) {
    out_.next = Appointment{time, recurrence};
  } else {
    out_.next->time = std::min(out_.next->time, time);
    if (recurrence == Recurrence::kOnce) out_.next->recurrence = recurrence;
  }
  return false;
}

void Life::report(std::string_view type, std::string_view reason, std::string message,
                  const Container* container) {
  PodEvent event{type, reason, std::move(message), {}};
  if (container != nullptr) {
    const bool init = container->role == Role::kInit || container->role == Role::kSidecar;
    event.field_path = init                                  ? "spec.initContainers{"
                       : container->role == Role::kEphemeral ? "spec.ephemeralContainers{"
                                                             : "spec.containers{";
    event.field_path.append(container->name).append("}");
  }
  out_.events.push_back(std::move(event));
}

void Life::live() {
  begin_ = start_time_;
  fresh_ = first_;
  if (!mounts_volumes() || !run_init_containers()) return;
  run_main_containers();
  run_ephemeral_containers();
  resize();
}

bool Life::mounts_volumes() {
  if (has_sandbox_) return true;
  const auto fault = mount_fault(pod_, around_.objects, arena());
  if (!fault) return true;
  report(kWarning, "FailedMount", *fault);
  out_.lacks_objects = true;
  reached(around_.now + Duration::from_seconds(122), Recurrence::kPeriodic);
  return false;
}

std::vector<Container*> Life::beginners(Role role) {
  std::vector<Container*> found;
  for (Container& container : containers_) {
    const bool new_one = container.waiting() && !container.exists() &&
                         (container.reason.empty() || container.reason == "ContainerCreating" ||
                          container.reason == "PodInitializing");
    if (container.role == role && new_one) found.push_back(&container);
  }
  return found;
}

// Runs init containers one after another; returns true when the main containers may run.
bool Life::run_init_containers() {
  const bool begun = std::any_of(containers_.begin(), containers_.end(), [](const Container& c) {
    return c.role == Role::kMain && (c.exists() || !c.waiting());
  });
  for (Container& container : containers_) {
    if (container.role != Role::kInit && container.role != Role::kSidecar) continue;
    if (begun && container.role == Role::kInit) continue;
    if (container.role == Role::kInit && container.succeeded()) {
      begin_ = std::max(begin_, container.finished);
      continue;
    }
    if (container.waiting() && !container.exists() && container.last.size() == 0 &&
        !container.reason.starts_with("Err") && !container.reason.starts_with("Image") &&
        !container.reason.starts_with("Create")) {
      if (!start({&container}, begin_, fresh_)) return false;
      fresh_ = true;
    }
    const bool was_running = container.running(), was_started = container.is_started;
    look_at(container);
    if (container.role == Role::kSidecar && container.running() && container.is_started) {
      begin_ = std::max(begin_, container.started);
      fresh_ = fresh_ || !was_started;
      continue;
    }
    if (container.role == Role::kInit && container.succeeded()) {
      begin_ = around_.now;
      fresh_ = was_running;
      continue;
    }
    if (!begun) return false;
  }
  return true;
}

void Life::run_main_containers() {
  const std::vector<Container*> group = beginners(Role::kMain);
  if (!group.empty()) start(group, begin_, fresh_);
  for (Container& container : containers_) {
    if (container.role == Role::kMain) look_at(container);
  }
}

void Life::run_ephemeral_containers() {
  if (!has_sandbox_) return;
  const std::vector<Container*> group = beginners(Role::kEphemeral);
  if (!group.empty()) start(group, around_.now, true);
  for (Container& container : containers_) {
    if (container.role == Role::kEphemeral) look_at(container);
  }
}

// Lets a container that has been started once, or could not be, go on.
void Life::look_at(Container& container) {
  if (container.waiting()) {
    if (container.reason == "CrashLoopBackOff") {
      restart(container);
    } else if (container.reason == "ErrImagePull" || container.reason == "ImagePullBackOff") {
      pull_again(container);
    } else if (container.reason == "CreateContainerConfigError") {
      configure_again(container);
    }
  }
  if (container.running()) tend(container);
  if (container.terminated()) restart(container);
}

// --- The status

void Life::set_list(Value& status, std::string_view list, std::string_view key,
                    std::string_view text) const {
  Value entry = Value::object(arena());
  entry.append(arena(), "ip", Value::string(text));
  Value entries = Value::array(arena());
  entries.push_back(arena(), entry);
  status.set(arena(), key, Value::string(text));
  status.set(arena(), list, entries);
}

void Life::set_addresses(Value& status) const {
  const std::string_view host = copy(around_.node.host_ip);
  if (!host.empty()) set_list(status, "hostIPs", "hostIP", host);
  if (!pod_ip_.empty()) set_list(status, "podIPs", "podIP", copy(pod_ip_));
}

bool Life::opens_gates() const {
  return std::any_of(containers_.begin(), containers_.end(), [](const Container& container) {
    return container.role == Role::kMain && container.behaviour.opens_gates;
  });
}

PodProgress Life::progress() {
  std::string_view phase = phase_;
  if (phase.empty()) phase = phase_of(pod_, containers_, ends_);
  // Sidecars do not keep a pod alive.
  const bool mains_ended =
      std::all_of(containers_.begin(), containers_.end(), [&](const Container& container) {
        return container.role != Role::kMain ||
               (container.terminated() && !is_restarted(container, pod_, container.exit_code));
      });
  if (phase == "Running" && mains_ended) {
    stop_sidecars();
    phase = phase_of(pod_, containers_, true);
  }
  if (ends_ && !is_final(phase)) phase = "Failed";
  if (is_final(phase)) {
    out_.next.reset();
    has_sandbox_ = false;
  }
  for (Container& container : containers_) {
    if (container.waiting() && container.reason.empty()) {
      container.reason = has_init_ ? "PodInitializing" : "ContainerCreating";
    }
  }
  const Value* old = pod_.find("status");
  Value status = old == nullptr ? Value::object(arena()) : old->shallow_copy(arena());
  const std::string_view before = status.string_at("phase");
  status.set(arena(), "observedGeneration", Value::integer(generation_));
  status.set(arena(), "phase", Value::string(phase));
  if (!reason_.empty()) {
    status.set(arena(), "reason", Value::string(reason_));
    status.set(arena(), "message", Value::string(message_));
  } else if (before != phase) {
    status.erase("reason");
    status.erase("message");
  }
  status.set(arena(), "conditions",
             conditions_of({pod_, containers_, phase, has_sandbox_, opens_gates(), resizing_},
                           around_.now, arena()));
  set_addresses(status);
  if (first_) {
    status.set(arena(), "startTime", Value::string(copy(format_rfc3339(start_time_))));
  }
  write_containers(status, containers_, arena());
  out_.status = status;
  out_.changed = old == nullptr || !deep_equal(status, *old);
  return std::move(out_);
}

PodProgress Life::run() {
  const bool terminating = pod_.at({"metadata", "deletionTimestamp"}) != nullptr;
  if (is_final(text_at(pod_, {"status", "phase"}))) {
    out_.finished = terminating && number_at(pod_, {"metadata", "deletionGracePeriodSeconds"}) != 0;
    return std::move(out_);
  }
  if (terminating) {
    terminate();
  } else if (exceeds_deadline()) {
    fail_for_deadline();
  } else {
    live();
  }
  return progress();
}

PodProgress progress_of(const Value& pod, const Surroundings& around) {
  return Life(pod, around).run();
}

}  // namespace tabernetes::controllers::kubelet
