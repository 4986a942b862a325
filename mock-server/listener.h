// Listening sockets.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "listen_address.h"

namespace tabernetes::host {

// A bound socket that does not accept yet.
struct Listener {
  int socket = -1;
  ListenPlace place{ListenAddress{}};  // the requested place, with the actual port
  std::string problem;                 // an error, empty for success
  std::shared_ptr<void> file;          // removes the file of a Unix socket, when destroyed
};

// Binds to the first address of the host name, or makes a Unix socket: one that is there and that
// nobody listens on, as after a crash, is replaced. The caller owns the socket.
Listener bind_listener(const ListenPlace& place);

// Returns the sockets that systemd or another program has opened for this one, as sd_listen_fds()
// does: the environment says LISTEN_PID and LISTEN_FDS, and no longer does so afterwards.
std::vector<Listener> inherited_listeners();

}  // namespace tabernetes::host
