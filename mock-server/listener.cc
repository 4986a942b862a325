#include "listener.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace tabernetes::host {
namespace {

std::uint16_t bound_port(int socket) {
  sockaddr_storage name{};
  socklen_t size = sizeof name;
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&name), &size);
  return ntohs(name.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(&name)->sin6_port
                                          : reinterpret_cast<sockaddr_in*>(&name)->sin_port);
}

// Binds `listener` to `info`. Sets `listener.problem` on failure.
void bind_to(const addrinfo& info, Listener& listener) {
  listener.socket = ::socket(info.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const int on = 1;
  if (listener.socket >= 0) {
    ::setsockopt(listener.socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    // listen() reports a port in use even where bind() under SO_REUSEADDR does not.
    if (::bind(listener.socket, info.ai_addr, info.ai_addrlen) == 0) {
      listener.address.port = bound_port(listener.socket);
      return;
    }
  }
  listener.problem = std::strerror(errno);
  if (listener.socket >= 0) ::close(listener.socket);
  listener.socket = -1;
}

}  // namespace

Listener bind_listener(const ListenAddress& address) {
  Listener listener;
  listener.address = address;
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int error =
      ::getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found);
  if (error != 0) {
    listener.problem = ::gai_strerror(error);
  } else {
    bind_to(*found, listener);
    ::freeaddrinfo(found);
  }
  if (!listener.problem.empty()) {
    listener.problem = "cannot listen on " + to_string(address) + ": " + listener.problem;
  }
  return listener;
}

}  // namespace tabernetes::host
