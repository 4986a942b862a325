#include "etcd_stand_in.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "listener.h"

namespace tabernetes::host {
namespace {

constexpr const char* kHelp =
    "tabernetes in the place of etcd: it answers /health and stores nothing.\n\n"
    "Usage:\n  etcd [flags]\n\n"
    "Flags:\n"
    "  --listen-client-urls 'http://localhost:2379'\n"
    "  --advertise-client-urls, --data-dir, --listen-peer-urls and others are accepted, without "
    "effect\n";
constexpr const char* kVersionText = "etcd Version: 3.6.0 (a stand-in by tabernetes)\n";

int fail(const std::string& message) {
  std::fprintf(stderr, "etcd: %s\n", message.c_str());
  return 1;
}

std::string answer(std::string_view status, std::string_view body) {
  return "HTTP/1.1 " + std::string(status) +
         "\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

std::string answer_to(std::string_view head) {
  if (head.starts_with("GET /health ") || head.starts_with("GET /health?")) {
    return answer("200 OK", R"({"health":"true","reason":""})");
  }
  if (head.starts_with("GET /version ")) {
    return answer("200 OK", R"({"etcdserver":"3.6.0","etcdcluster":"3.6.0"})");
  }
  return answer("404 Not Found", "404 page not found\n");
}

// Answers one request and closes. A peer that is slow is given up.
void converse(int peer) {
  const timeval patience{.tv_sec = 1, .tv_usec = 0};
  ::setsockopt(peer, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::setsockopt(peer, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  std::string head;
  char bytes[4096];
  while (head.size() < 4 * sizeof bytes && head.find("\r\n\r\n") == std::string::npos) {
    const ssize_t size = ::recv(peer, bytes, sizeof bytes, 0);
    if (size <= 0) break;
    head.append(bytes, static_cast<std::size_t>(size));
  }
  if (head.find("\r\n\r\n") != std::string::npos) {
    const std::string text = answer_to(head);
    (void)!::send(peer, text.data(), text.size(), MSG_NOSIGNAL);
  }
  ::close(peer);
}

// Returns the value of `argument` for the flag `name`: after "=", or the next argument.
bool read_value(const std::vector<std::string>& arguments, std::size_t i, std::string_view name,
                std::string& value) {
  std::string_view argument = arguments[i];
  while (argument.starts_with('-')) argument.remove_prefix(1);
  if (!argument.starts_with(name)) return false;
  argument.remove_prefix(name.size());
  if (argument.starts_with('=')) {
    value = argument.substr(1);
    return true;
  }
  if (!argument.empty() || i + 1 == arguments.size()) return false;
  value = arguments[i + 1];
  return true;
}

}  // namespace

int run_etcd_stand_in(const std::vector<std::string>& arguments) {
  std::string urls = "http://localhost:2379";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--help" || arguments[i] == "-h") return std::fputs(kHelp, stdout), 0;
    if (arguments[i] == "--version") return std::fputs(kVersionText, stdout), 0;
    read_value(arguments, i, "listen-client-urls", urls);
  }
  constexpr std::string_view kScheme = "http://";
  std::string url = urls.substr(0, urls.find(','));
  if (!url.starts_with(kScheme)) return fail("--listen-client-urls: http:// is needed, not " + url);
  url.erase(0, kScheme.size());
  if (url.ends_with('/')) url.pop_back();
  const auto address = parse_listen_address(url);
  if (!address) return fail("--listen-client-urls: http://HOST:PORT is needed, not " + urls);

  // Nothing is to be finished at a stop.
  for (const int signal : {SIGTERM, SIGINT}) std::signal(signal, [](int) { ::_exit(0); });
  const Listener listener = bind_listener(*address);
  if (!listener.problem.empty()) return fail(listener.problem);
  // The listener is made for event loops; here accept() waits.
  const int own = ::fcntl(listener.socket, F_GETFL);
  ::fcntl(listener.socket, F_SETFL, own & ~O_NONBLOCK);
  if (::listen(listener.socket, SOMAXCONN) != 0) return fail(std::strerror(errno));
  std::fprintf(stderr, "etcd: a stand-in listens on http://%s\n",
               to_string(listener.place.address).c_str());
  for (;;) {
    const int peer = ::accept4(listener.socket, nullptr, nullptr, SOCK_CLOEXEC);
    if (peer >= 0) {
      converse(peer);
    } else if (errno != EINTR && errno != ECONNABORTED) {
      return fail(std::strerror(errno));
    }
  }
}

}  // namespace tabernetes::host
