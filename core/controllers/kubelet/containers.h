// The containers of a pod: what its status says of them, as values that can be changed and written
// back.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "controllers/kubelet/behaviour.h"
#include "json/value.h"
#include "tabernetes/time.h"

namespace tabernetes::controllers::kubelet {

enum class Role { kInit, kSidecar, kMain, kEphemeral };

struct Container {
  enum class State { kWaiting, kRunning, kTerminated };

  Role role = Role::kMain;
  const json::Value* spec = nullptr;
  std::string_view name;
  ContainerBehaviour behaviour;

  State state = State::kWaiting;
  std::string_view reason, message;  // of waiting or terminated
  Time started, finished;
  std::int64_t exit_code = 0;
  bool is_started = false;  // its startup probe has succeeded
  bool ready = false;
  std::int64_t restarts = 0;
  std::string_view id, image, image_id;  // empty until the container exists
  json::Value last;                      // the state before the last restart; null if none
  json::Value resources;                 // as the runtime has them; null: as the spec

  bool running() const { return state == State::kRunning; }
  bool waiting() const { return state == State::kWaiting; }
  bool terminated() const { return state == State::kTerminated; }
  bool exists() const { return !id.empty(); }
  bool succeeded() const { return terminated() && exit_code == 0; }
};

// Returns the containers in the order of the pod's spec: init, main, ephemeral ones. Views of the
// pod.
std::vector<Container> read_containers(const json::Value& pod);

// Returns true if a container that ended with `exit_code` is started again.
bool is_restarted(const Container& container, const json::Value& pod, std::int64_t exit_code);

// Returns the termination in `last`, or null.
const json::Value* last_termination(const Container& container);

// Makes `state.terminated`, `state.running`, … of the container.
json::Value state_of(const Container& container, json::Arena& arena);

// Sets the lists of container statuses in a pod's status.
void write_containers(json::Value& status, const std::vector<Container>& containers,
                      json::Arena& arena);

}  // namespace tabernetes::controllers::kubelet
