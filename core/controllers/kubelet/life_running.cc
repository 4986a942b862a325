#include <algorithm>

#include "base/go/text.h"
#include "base/time/rfc3339.h"
#include "codec/json_writer.h"
#include "controllers/kubelet/life.h"
#include "controllers/kubelet/timing.h"
#include "json/access.h"
#include "json/equality.h"
#include "registry/meta/conditions.h"

namespace tabernetes::controllers::kubelet {
namespace {

using json::Value;
using State = Container::State;

// How long containers run that end by themselves although no rule says so.
constexpr Duration kInitRun = Duration::from_milliseconds(500);
constexpr Duration kMainRun = Duration::from_seconds(2);

bool lacks_resources(const Container& container) {
  const Value* wanted = container.spec->find("resources");
  return container.running() && container.role != Role::kEphemeral && wanted != nullptr &&
         !container.resources.is_null() && !deep_equal(container.resources, *wanted);
}

}  // namespace

std::optional<ContainerBehaviour::Exit> Life::exit_of(const Container& container) const {
  const auto& given = container.behaviour.exit;
  if (given && (given->times == 0 || container.restarts < given->times)) return given;
  if (container.role == Role::kInit) return ContainerBehaviour::Exit{kInitRun};
  const bool runs_on = container.behaviour.runs_on || container.role != Role::kMain;
  const std::string_view own = container.spec->string_at("restartPolicy");
  const std::string_view policy = own.empty() ? text_at(pod_, {"spec", "restartPolicy"}) : own;
  if (runs_on || policy == "Always") return std::nullopt;
  return ContainerBehaviour::Exit{kMainRun};
}

void Life::tend(Container& container) {
  if (const auto exit = exit_of(container); exit && reached(container.started + exit->after)) {
    return end(container, exit->code, exit->reason, exit->message);
  }
  if (fails_liveness(container)) return;
  if (!container.is_started && container.role != Role::kEphemeral) {
    container.is_started =
        reached(container.started + probe_time(container.spec->find("startupProbe")));
  }
  if (container.role == Role::kMain || container.role == Role::kSidecar) {
    probe_readiness(container);
  }
}

void Life::probe_readiness(Container& container) {
  const ContainerBehaviour& behaviour = container.behaviour;
  const Time from = container.started +
                    std::max(probe_time(container.spec->find("startupProbe")),
                             probe_time(container.spec->find("readinessProbe"))) +
                    behaviour.ready;
  bool ready = container.is_started && reached(from) && !behaviour.never_ready;
  const std::int64_t up = behaviour.flap_up.nanoseconds, down = behaviour.flap_down.nanoseconds;
  if (ready && up > 0 && down > 0) {
    const std::int64_t place = (around_.due - from).nanoseconds % (up + down);
    ready = place < up;
    reached(around_.due + Duration{(ready ? up : up + down) - place}, Recurrence::kPeriodic);
  }
  if (container.ready && !ready) {
    report(kWarning, "Unhealthy", "Readiness probe failed: HTTP probe failed with statuscode: 503",
           &container);
  }
  container.ready = ready;
}

bool Life::fails_liveness(Container& container) {
  const auto& unhealthy = container.behaviour.unhealthy;
  const Value* probe = container.spec->find("livenessProbe");
  if (!unhealthy || probe == nullptr) return false;
  if (!reached(container.started + *unhealthy + probe_patience(probe))) return false;
  report(kWarning, "Unhealthy", "Liveness probe failed: HTTP probe failed with statuscode: 500",
         &container);
  report(kNormal, "Killing",
         "Container " + std::string(container.name) + " failed liveness probe, will be restarted",
         &container);
  end(container, kKilled);
  return true;
}

void Life::end(Container& container, std::int64_t code, std::string_view reason,
               std::string_view message) {
  container.state = State::kTerminated;
  container.finished = around_.now;
  container.exit_code = code;
  container.reason = !reason.empty() ? copy(reason) : code == 0 ? "Completed" : "Error";
  container.message = copy(message);
  container.is_started = false;
  container.ready = container.role == Role::kInit && code == 0;
}

// Starts a container again that has ended, at once the first time, later after a back-off.
void Life::restart(Container& container) {
  const Value* last = last_termination(container);
  const bool waits = container.waiting();
  if (waits ? last == nullptr : !is_restarted(container, pod_, container.exit_code)) return;
  const auto time_of = [&](std::string_view member) {
    return parse_rfc3339(last->string_at(member)).value_or(around_.now);
  };
  const Time finished = waits ? time_of("finishedAt") : container.finished;
  const Time started = waits ? time_of("startedAt") : container.started;
  const bool ran_long = !((finished - started) < kBackOffEnds);
  const bool at_once = container.restarts == 0 || ran_long;
  if (!waits && !reached(finished + kRelist)) return;
  if (!at_once) {
    const Duration wait = back_off(container.restarts - 1);
    if (!waits) {
      report(kWarning, "BackOff",
             "Back-off restarting failed container " + std::string(container.name) + " in pod " +
                 full_name(),
             &container);
      container.last = state_of(container, arena());
      container.state = State::kWaiting;
      container.reason = "CrashLoopBackOff";
      container.message = copy("back-off " + go_text(wait) + " restarting failed container=" +
                               std::string(container.name) + " pod=" + full_name());
    }
    if (!reached(finished + wait, Recurrence::kPeriodic)) return;
  }
  if (needs_pull(container)) report(kNormal, "Pulling", pulling(container), &container);
  bring_up(container);
  if (container.running()) tend(container);
}

// --- Resizing

// Like {"containers":[{"name":"app","resources":{…}}],"generation":2}, which kubelets print of the
// spec.
std::string Life::resize_message(std::string_view what) const {
  Value summary = Value::object(arena());
  for (const std::string_view list : {"initContainers", "containers"}) {
    Value resources = Value::array(arena());
    for (const Value& spec : items_at(pod_, {"spec", list})) {
      Value one = Value::object(arena());
      one.append(arena(), "name", *spec.find("name"));
      const Value* wanted = spec.find("resources");
      one.append(arena(), "resources", wanted == nullptr ? Value::object(arena()) : *wanted);
      resources.push_back(arena(), one);
    }
    if (resources.size() > 0) summary.append(arena(), list, resources);
  }
  summary.append(arena(), "generation", Value::integer(generation_));
  std::string text = "Pod resize " + std::string(what) + ": ";
  codec::write_json(summary, text);
  return text;
}

void Life::actuate(Container& container) {
  container.resources = *container.spec->find("resources");
  for (const Value& policy : items_at(*container.spec, {"resizePolicy"})) {
    if (policy.string_at("restartPolicy") != "RestartContainer") continue;
    report(kNormal, "Killing",
           "Container " + std::string(container.name) + " resize requires restart", &container);
    end(container, kKilled);
    return restart(container);
  }
}

// Gives containers the resources that their pod asks for now, a moment after it was seen.
void Life::resize() {
  if (std::none_of(containers_.begin(), containers_.end(), lacks_resources)) return;
  const Value* begun = registry::find_condition(pod_, "PodResizeInProgress");
  if (begun == nullptr) {
    resizing_ = true;
    report(kNormal, "ResizeStarted", resize_message("started"));
    reached(around_.now + kRelist);
    return;
  }
  const auto since = parse_rfc3339(begun->string_at("lastTransitionTime"));
  resizing_ = !reached(since.value_or(around_.now) + kRelist);
  if (resizing_) return;
  for (Container& container : containers_) {
    if (lacks_resources(container)) actuate(container);
  }
  report(kNormal, "ResizeCompleted", resize_message("completed"));
}

}  // namespace tabernetes::controllers::kubelet
