// Listening sockets.
#pragma once

#include <string>

#include "listen_address.h"

namespace tabernetes::host {

// A bound socket that does not accept yet.
struct Listener {
  int socket = -1;
  ListenAddress address;  // the requested address, with the actual port
  std::string problem;    // an error, empty for success
};

// Binds to the first address of the host name. The caller owns the socket.
Listener bind_listener(const ListenAddress& address);

}  // namespace tabernetes::host
