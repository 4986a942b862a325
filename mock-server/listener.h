// Listening sockets.
#pragma once

#include <string>

#include "listen_address.h"

namespace tabernetes::host {

// A socket bound to an address, but not accepting yet.
struct Listener {
  int socket = -1;
  ListenAddress address;  // the one asked for, with the port that it got
  std::string problem;    // what went wrong; empty if nothing did
};

// Binds to the first address that the host name stands for. The caller owns the socket.
Listener bind_listener(const ListenAddress& address);

}  // namespace tabernetes::host
