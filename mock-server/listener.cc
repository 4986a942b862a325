#include "listener.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>

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
      listener.place.address.port = bound_port(listener.socket);
      return;
    }
  }
  listener.problem = std::strerror(errno);
  if (listener.socket >= 0) ::close(listener.socket);
  listener.socket = -1;
}

constexpr int kFirstInherited = 3;  // as systemd passes them
constexpr std::size_t kLongestPath = sizeof(sockaddr_un::sun_path) - 1;

sockaddr_un unix_name(const std::string& path) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  std::memcpy(name.sun_path, path.data(), path.size());
  return name;
}

int unix_socket() { return ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }

// Returns true for a socket that nobody listens on.
bool is_left_over(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0 || !S_ISSOCK(status.st_mode)) return false;
  const int probe = unix_socket();
  if (probe < 0) return false;
  const sockaddr_un name = unix_name(path);
  const bool refused =
      ::connect(probe, reinterpret_cast<const sockaddr*>(&name), sizeof name) != 0 &&
      errno == ECONNREFUSED;
  ::close(probe);
  return refused;
}

std::string bind_unix(const std::string& path, Listener& listener) {
  if (path.size() > kLongestPath) {
    return "A Unix socket's path has at most " + std::to_string(kLongestPath) + " bytes";
  }
  listener.socket = unix_socket();
  const sockaddr_un name = unix_name(path);
  if (is_left_over(path)) ::unlink(path.c_str());
  if (listener.socket >= 0 &&
      ::bind(listener.socket, reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0) {
    listener.file = std::shared_ptr<void>(nullptr, [path](void*) { ::unlink(path.c_str()); });
    return {};
  }
  std::string problem = std::strerror(errno);
  if (listener.socket >= 0) ::close(listener.socket);
  listener.socket = -1;
  return problem;
}

std::string resolve_and_bind(const ListenAddress& address, Listener& listener) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int error =
      ::getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found);
  if (error != 0) return ::gai_strerror(error);
  bind_to(*found, listener);
  ::freeaddrinfo(found);
  return listener.problem;
}

// Returns the number that a variable of the environment has, and removes the variable.
std::optional<int> take_number(const char* variable) {
  const char* text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  int number = 0;
  const char* const end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, number);
  const bool good = error == std::errc() && stop == end;
  ::unsetenv(variable);
  return good ? std::optional(number) : std::nullopt;
}

// Returns where a socket listens; nullopt if it is none that listens for connections.
std::optional<ListenPlace> place_of(int socket) {
  int listens = 0;
  socklen_t size = sizeof listens;
  if (::getsockopt(socket, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || listens == 0) {
    return std::nullopt;
  }
  sockaddr_storage name{};
  size = sizeof name;
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&name), &size);
  char text[INET6_ADDRSTRLEN] = "";
  if (name.ss_family == AF_UNIX) {
    const auto& at = reinterpret_cast<const sockaddr_un&>(name);
    std::string path(at.sun_path, size - offsetof(sockaddr_un, sun_path));
    if (path.starts_with('\0')) path[0] = '@';  // an abstract name
    return ListenPlace::unix_socket(path.c_str());
  }
  if (name.ss_family == AF_INET6) {
    const auto& at = reinterpret_cast<const sockaddr_in6&>(name);
    ::inet_ntop(AF_INET6, &at.sin6_addr, text, sizeof text);
  } else if (name.ss_family == AF_INET) {
    const auto& at = reinterpret_cast<const sockaddr_in&>(name);
    ::inet_ntop(AF_INET, &at.sin_addr, text, sizeof text);
  } else {
    return std::nullopt;
  }
  return ListenPlace(ListenAddress{text, bound_port(socket)});
}

}  // namespace

Listener bind_listener(const ListenPlace& place) {
  Listener listener;
  listener.place = place;
  const std::string problem =
      place.is_unix() ? bind_unix(place.path, listener) : resolve_and_bind(place.address, listener);
  if (!problem.empty()) {
    listener.problem = "cannot listen on " + to_string(place) + ": " + problem;
  }
  return listener;
}

std::vector<Listener> inherited_listeners() {
  const std::optional<int> owner = take_number("LISTEN_PID");
  const std::optional<int> count = take_number("LISTEN_FDS");
  std::vector<Listener> listeners;
  if (!count || owner != std::optional<int>(::getpid())) return listeners;
  for (int socket = kFirstInherited; socket < kFirstInherited + *count; ++socket) {
    Listener listener;
    ::fcntl(socket, F_SETFD, FD_CLOEXEC);
    if (const auto place = place_of(socket)) {
      listener.socket = socket;
      listener.place = *place;
    } else {
      listener.problem = "descriptor " + std::to_string(socket) +
                         " of LISTEN_FDS is no socket that listens for connections";
    }
    listeners.push_back(std::move(listener));
  }
  return listeners;
}

}  // namespace tabernetes::host
