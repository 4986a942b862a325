#include <algorithm>
#include <utility>

#include "base/go/text.h"
#include "base/text/ascii.h"
#include "base/time/rfc3339.h"
#include "controllers/kubelet/image_name.h"
#include "controllers/kubelet/life.h"
#include "controllers/kubelet/needed_objects.h"
#include "controllers/kubelet/timing.h"
#include "json/access.h"

namespace tabernetes::controllers::kubelet {
namespace {

using json::Value;
using State = Container::State;

// How long ErrImagePull is shown before ImagePullBackOff.
constexpr Duration kPullErrorShown = Duration::from_seconds(3);
// The kubelet tries again what failed for lack of something.
constexpr Duration kRetry = Duration::from_seconds(15);
// A pull of an image that is there already only asks the registry.
constexpr Duration kPullAgain = Duration::from_milliseconds(200);

}  // namespace

std::string pulling(const Container& container) {
  return "Pulling image " + go_quote(container.spec->string_at("image"));
}

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

}  // namespace tabernetes::controllers::kubelet
