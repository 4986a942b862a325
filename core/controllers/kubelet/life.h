// What a kubelet lets happen to a pod that is due: see pod_life.h. Its subjects are in a file each.
// Internal.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/kubelet/containers.h"
#include "controllers/kubelet/pod_life.h"
#include "json/value.h"

namespace tabernetes::controllers::kubelet {

// Types of events.
inline constexpr std::string_view kNormal = "Normal", kWarning = "Warning";
// Codes of containers that are killed, and that end as they are asked to.
inline constexpr std::int64_t kKilled = 137, kTerminated = 143;

class Life {
 public:
  Life(const json::Value& pod, const Surroundings& around);
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
  void set_addresses(json::Value& status) const;
  void set_list(json::Value& status, std::string_view list, std::string_view key,
                std::string_view text) const;

  const json::Value& pod_;
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

// Returns the message of the event Pulling.
std::string pulling(const Container& container);

}  // namespace tabernetes::controllers::kubelet
