// How simulated containers behave.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tabernetes/time.h"

namespace tabernetes::controllers::kubelet {

// What a container does; the defaults are those of one that no rule speaks of.
struct ContainerBehaviour {
  // The image: how long a node pulls it that does not have it, and why it cannot (empty: it can).
  Duration pull = Duration::from_milliseconds(700);
  std::string pull_error;

  // From the image to the running process, and why it cannot be started (empty: it can).
  Duration start = Duration::from_milliseconds(100);
  std::string start_error;
  // Its pod's readiness gates open when the containers are ready.
  bool opens_gates = false;

  // Beyond what its probes take.
  Duration ready;
  bool never_ready = false;
  // Ready for `flap_up`, then not ready for `flap_down`, and so on; zero: it stays ready.
  Duration flap_up, flap_down;

  // Ends by itself this long after its start. nullopt: as its role and its pod's restart policy
  // suggest.
  struct Exit {
    Duration after;
    std::int64_t code = 0;
    std::string reason = {}, message = {};  // an empty reason follows from the code
    std::int64_t times = 0;                 // only its first runs; 0: all
  };
  std::optional<Exit> exit;
  bool runs_on = false;  // does not end by itself, whatever its pod's restart policy

  // Its liveness probe begins to fail this long after its start.
  std::optional<Duration> unhealthy;

  // From SIGTERM to the end, and the exit code then; nullopt: as its pod's restart policy suggests.
  Duration stop = Duration::from_milliseconds(500);
  std::optional<std::int64_t> stop_code;
};

}  // namespace tabernetes::controllers::kubelet
