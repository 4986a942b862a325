#include "controllers/kubelet/pod_life.h"

#include <algorithm>
#include <utility>

#include "base/go/text.h"
#include "base/text/ascii.h"
#include "base/time/rfc3339.h"
#include "codec/json_writer.h"
#include "controllers/kubelet/containers.h"
#include "controllers/kubelet/image_name.h"
#include "controllers/kubelet/needed_objects.h"
#include "controllers/kubelet/pod_status.h"
#include "controllers/kubelet/timing.h"
#include "json/access.h"
#include "json/equality.h"
#include "registry/meta/conditions.h"

namespace tabernetes::controllers::kubelet {
namespace {

using json::Value;
using State = Container::State;

constexpr std::string_view kNormal = "Normal", kWarning = "Warning";
// How long ErrImagePull is shown before ImagePullBackOff.
constexpr Duration kPullErrorShown = Duration::from_seconds(3);
// How long containers run that end by themselves although no rule says so.
constexpr Duration kInitRun = Duration::from_milliseconds(500);
constexpr Duration kMainRun = Duration::from_seconds(2);
// The kubelet tries again what failed for lack of something.
constexpr Duration kRetry = Duration::from_seconds(15);
// A pull of an image that is there already only asks the registry.
constexpr Duration kPullAgain = Duration::from_milliseconds(200);

constexpr std::int64_t kKilled = 137, kTerminated = 143;

class Life {
 public:
  Life(const Value& pod, const Surroundings& around);
  PodProgress run();

 private:
  json::Arena& arena() const { return around_.arena; }
  std::string_view copy(std::string_view text) const { return arena().copy(text); }
  std::string full_name() const { return name_ + "_" + ns_ + "(" + uid_ + ")"; }

  // Returns true if the time has come; otherwise notes it.
  bool reached(Time time, Recurrence recurrence = Recurrence::kOnce);
  void report(std::string_view type, std::string_view reason, std::string message,
              const Container* container = nullptr);

  // --- A pod that lives
  void live();
  bool mounts_volumes();
  bool run_init_containers();
  void run_main_containers();
  void run_ephemeral_containers();
  // The containers of the role that have never been started.
  std::vector<Container*> beginners(Role role);

  // --- Starting
  // Starts containers one after another, from `begin` on, and shows them when all are up.
  // `fresh`: they begin in this moment.
  bool start(const std::vector<Container*>& group, Time begin, bool fresh);
  bool make_sandbox();
  void bring_up(Container& container);
  bool ensure_image(Container& container);
  bool has_image(const Container& container) const;
  bool needs_pull(const Container& container) const;
  Duration pull_time(const Container& container) const;
  void fail_pull(Container& container);
  void pull_again(Container& container);
  void configure_again(Container& container);
  std::string make_id() const;

  // --- Running and ending
  void tend(Container& container);
  void probe_readiness(Container& container);
  bool fails_liveness(Container& container);
  std::optional<ContainerBehaviour::Exit> exit_of(const Container& container) const;
  void end(Container& container, std::int64_t code, std::string_view reason = {},
           std::string_view message = {});
  void restart(Container& container);
  void look_at(Container& container);

  // --- Resizing
  void resize();
  void actuate(Container& container);
  std::string resize_message(std::string_view what) const;

  // --- The end of the pod
  void terminate();
  bool exceeds_deadline();
  void fail_for_deadline();
  std::int64_t stop_code(const Container& container) const;
  void stop_sidecars();

  bool opens_gates() const;
  PodProgress progress();
  void set_addresses(Value& status) const;
  void set_list(Value& status, std::string_view list, std::string_view key,
                std::string_view text) const;

  const Value& pod_;
  const Surroundings& around_;
  const std::string name_, ns_, uid_;
  const std::int64_t generation_;
  std::vector<Container> containers_;
  bool has_init_ = false;
  bool first_ = false;  // the kubelet has not seen the pod before
  Time start_time_;
  bool has_sandbox_ = false;
  std::string pod_ip_;
  Time begin_;          // when the containers at hand may begin
  bool fresh_ = false;  // that is now
  bool resizing_ = false;
  bool ends_ = false;                          // nothing of the pod runs any more
  std::string_view phase_, reason_, message_;  // if not empty, instead of what follows
  PodProgress out_;
};

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

// --- A pod that lives

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

// --- Starting

bool Life::has_image(const Container& container) const {
  return around_.node.images.contains(full_image_name(container.spec->string_at("image")));
}

bool Life::needs_pull(const Container& container) const {
  const std::string_view policy = container.spec->string_at("imagePullPolicy");
  return policy == "Always" || (policy != "Never" && !has_image(container));
}

Duration Life::pull_time(const Container& container) const {
  if (!needs_pull(container)) return {};
  if (!has_image(container) || !container.behaviour.pull_error.empty()) {
    return container.behaviour.pull;
  }
  return std::min(container.behaviour.pull, kPullAgain);
}

std::string pulling(const Container& container) {
  return "Pulling image " + go_quote(container.spec->string_at("image"));
}

bool Life::start(const std::vector<Container*>& group, Time begin, bool fresh) {
  Time up = has_sandbox_ ? begin : begin + sandbox_time(uid_);
  const Container* first_pull = nullptr;  // is reported when it begins, the others at the end
  for (const Container* container : group) {
    if (first_pull == nullptr && needs_pull(*container)) first_pull = container;
    up = up + pull_time(*container) + container->behaviour.start;
  }
  if (fresh && first_pull != nullptr) {
    report(kNormal, "Pulling", pulling(*first_pull), first_pull);
  }
  if (!reached(up) || !make_sandbox()) return false;
  for (Container* container : group) {
    if (container != first_pull && needs_pull(*container)) {
      report(kNormal, "Pulling", pulling(*container), container);
    }
    bring_up(*container);
  }
  return true;
}

bool Life::make_sandbox() {
  if (has_sandbox_) return true;
  if (pod_ip_.empty()) {
    const auto address = around_.node.addresses.take();
    if (!address) {
      report(kWarning, "FailedCreatePodSandBox",
             "Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup "
             "network for sandbox: plugin type=\"host-local\" failed (add): failed to allocate for "
             "range 0: no IP addresses available in range set: " +
                 around_.node.addresses.range());
      reached(around_.now + kRetry, Recurrence::kPeriodic);
      return false;
    }
    pod_ip_ = *address;
  }
  has_sandbox_ = true;
  return true;
}

// Reports the image of the container; returns false if it cannot be had.
bool Life::ensure_image(Container& container) {
  const std::string image(container.spec->string_at("image"));
  if (!needs_pull(container)) {
    report(kNormal, "Pulled",
           "Container image " + go_quote(image) +
               " already present on machine and can be accessed by the pod",
           &container);
    return true;
  }
  if (!container.behaviour.pull_error.empty()) {
    fail_pull(container);
    return false;
  }
  const std::string time = go_text(pull_time(container));
  report(kNormal, "Pulled",
         "Successfully pulled image " + go_quote(image) + " in " + time + " (" + time +
             " including waiting). Image size: " + std::to_string(image_size(image)) + " bytes.",
         &container);
  const auto [place, added] =
      around_.node.images.emplace(full_image_name(image), image_size(image));
  around_.node.changed = around_.node.changed || added;
  return true;
}

void Life::fail_pull(Container& container) {
  const std::string image(container.spec->string_at("image"));
  const std::string& error = container.behaviour.pull_error;
  report(kWarning, "Failed", "Failed to pull image " + go_quote(image) + ": " + error, &container);
  report(kWarning, "Failed", "Error: ErrImagePull", &container);
  container.reason = "ErrImagePull";
  container.message = copy(error);
  reached(around_.now + kPullErrorShown);
}

std::string Life::make_id() const {
  std::string id = "containerd://";
  for (int i = 0; i < 4; ++i) {
    const std::uint64_t number = around_.entropy.next();
    for (int shift = 60; shift >= 0; shift -= 4) id += kHexDigits[number >> shift & 15];
  }
  return id;
}

void Life::bring_up(Container& container) {
  if (!ensure_image(container)) return;
  if (const auto fault = environment_fault(pod_, *container.spec, around_.objects, arena())) {
    report(kWarning, "Failed", "Error: " + *fault, &container);
    container.state = State::kWaiting;
    container.reason = "CreateContainerConfigError";
    container.message = copy(*fault);
    out_.lacks_objects = true;
    reached(around_.now + kRetry, Recurrence::kPeriodic);
    return;
  }
  if (container.exists()) {
    if (container.terminated()) container.last = state_of(container, arena());
    ++container.restarts;
  }
  const std::string_view image = container.spec->string_at("image");
  container.id = copy(make_id());
  container.image = copy(full_image_name(image));
  container.image_id = copy(image_id(image));
  container.started = around_.now;
  container.state = State::kRunning;
  container.reason = container.message = {};
  container.is_started = container.ready = false;
  report(kNormal, "Created", "Container created", &container);
  const std::string& error = container.behaviour.start_error;
  if (error.empty()) {
    report(kNormal, "Started", "Container started", &container);
  } else {
    report(kWarning, "Failed", "Error: " + error, &container);
    end(container, 128, "StartError", error);
  }
}

// A pull that failed is tried again after 10 s, 20 s, …
void Life::pull_again(Container& container) {
  const Duration pull = container.behaviour.pull;
  Time tried = begin_ + sandbox_time(uid_) + pull;
  std::int64_t attempt = 0;
  for (; attempt < 10'000; ++attempt) {
    const Time again = tried + back_off(attempt) + pull;
    if (again > around_.due) break;
    tried = again;
  }
  const bool shows_error = container.reason == "ErrImagePull";
  if (!shows_error && around_.due < tried + kPullErrorShown) {  // this is another attempt
    report(kNormal, "Pulling", pulling(container), &container);
    bring_up(container);
    return;
  }
  if (shows_error && reached(tried + kPullErrorShown)) {
    const std::string image = go_quote(container.spec->string_at("image"));
    report(kNormal, "BackOff", "Back-off pulling image " + image, &container);
    report(kWarning, "Failed", "Error: ImagePullBackOff", &container);
    container.reason = "ImagePullBackOff";
    container.message = copy("Back-off pulling image " + image +
                             ": ErrImagePull: " + container.behaviour.pull_error);
  }
  if (container.reason == "ImagePullBackOff") {
    reached(tried + back_off(attempt) + pull, Recurrence::kPeriodic);
  }
}

void Life::configure_again(Container& container) {
  if (environment_fault(pod_, *container.spec, around_.objects, arena())) {
    out_.lacks_objects = true;
    reached(around_.now + kRetry, Recurrence::kPeriodic);
    return;
  }
  bring_up(container);
}

// --- Running and ending

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

bool lacks_resources(const Container& container) {
  const Value* wanted = container.spec->find("resources");
  return container.running() && container.role != Role::kEphemeral && wanted != nullptr &&
         !container.resources.is_null() && !deep_equal(container.resources, *wanted);
}

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

// --- The end of the pod

std::int64_t Life::stop_code(const Container& container) const {
  if (container.behaviour.stop_code) return *container.behaviour.stop_code;
  return text_at(pod_, {"spec", "restartPolicy"}) == "Always" ? 0 : kTerminated;
}

Duration pre_stop_time(const Container& container) {
  return bounded_seconds(number_at(*container.spec, {"lifecycle", "preStop", "sleep", "seconds"}));
}

// Stops the containers of a terminating pod: sidecars after the others, all within the grace
// period.
void Life::terminate() {
  const Duration grace =
      bounded_seconds(number_at(pod_, {"metadata", "deletionGracePeriodSeconds"}));
  const auto deletion = parse_rfc3339(text_at(pod_, {"metadata", "deletionTimestamp"}));
  const Time begin =
      std::min(deletion.value_or(around_.now) + Duration{-grace.nanoseconds}, around_.now);
  const Time last = begin + std::max(grace, kLeastGrace);
  const bool fresh = number_at(pod_, {"status", "observedGeneration"}) != generation_;
  Time mains_end = begin;
  bool runs = false;
  const auto stop = [&](Container& container, Time from) {
    if (!container.running()) return;
    if (fresh) {
      report(kNormal, "Killing", "Stopping container " + std::string(container.name), &container);
    }
    const Time wanted = from + pre_stop_time(container) + container.behaviour.stop;
    const Time time = std::min(wanted, last);
    if (container.role == Role::kMain) mains_end = std::max(mains_end, time);
    if (reached(time)) return end(container, wanted > last ? kKilled : stop_code(container));
    runs = true;
  };
  for (Container& container : containers_) {
    if (container.role != Role::kSidecar) stop(container, begin);
  }
  for (Container& container : containers_) {
    if (container.role == Role::kSidecar) stop(container, mains_end);
  }
  if (runs) return;
  ends_ = true;
  out_.finished = true;
  const bool initialised = registry::condition_is_true(pod_, "Initialized");
  for (Container& container : containers_) {
    if (container.terminated() || container.role != Role::kMain || !initialised) continue;
    container.id = {};
    container.image_id = {};
    end(container, kKilled, "ContainerStatusUnknown",
        "The container could not be located when the pod was terminated");
  }
}

bool Life::exceeds_deadline() {
  const Value* seconds = pod_.at({"spec", "activeDeadlineSeconds"});
  if (first_ || seconds == nullptr || !seconds->is_int()) return false;
  return reached(start_time_ + bounded_seconds(seconds->as_int()));
}

void Life::fail_for_deadline() {
  phase_ = "Failed";
  reason_ = "DeadlineExceeded";
  message_ = "Pod was active on the node longer than the specified deadline";
  report(kNormal, reason_, std::string(message_));
  for (Container& container : containers_) {
    if (!container.running()) continue;
    report(kNormal, "Killing", "Stopping container " + std::string(container.name), &container);
    end(container, stop_code(container) == 0 ? kTerminated : stop_code(container));
  }
}

void Life::stop_sidecars() {
  for (Container& container : containers_) {
    if (container.role != Role::kSidecar || !container.running()) continue;
    report(kNormal, "Killing", "Stopping container " + std::string(container.name), &container);
    end(container, container.behaviour.stop_code.value_or(0));
  }
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

}  // namespace

PodProgress progress_of(const Value& pod, const Surroundings& around) {
  return Life(pod, around).run();
}

}  // namespace tabernetes::controllers::kubelet
