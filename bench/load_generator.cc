// Sends one request repeatedly on keep-alive connections and counts the answers.
//
//   load_generator HOST PORT CONNECTIONS SECONDS < REQUEST
//
// REQUEST is the bytes of an HTTP/1.1 request. A run of ######## in it becomes a number that counts
// up, for names that must differ. Answers need a Content-Length. Prints one line of JSON:
// {"seconds":…, "requests":…, "bytes":…, "failed":…}; `failed` counts statuses other than 2xx.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace {

using SteadyClock = std::chrono::steady_clock;

struct Totals {
  std::size_t requests = 0;
  std::size_t bytes = 0;
  std::size_t failed = 0;
};

[[noreturn]] void die(const char* what) {
  std::perror(what);
  std::exit(1);
}

// The request, with a new number for each use.
class RequestText {
 public:
  explicit RequestText(std::string text) : text_(std::move(text)) {
    place_ = text_.find("########");
  }
  const std::string& next() {
    if (place_ != std::string::npos) {
      char digits[9];
      std::snprintf(digits, sizeof digits, "%08u", number_++);
      text_.replace(place_, 8, digits);
    }
    return text_;
  }

 private:
  std::string text_;
  std::size_t place_;
  unsigned number_ = 0;
};

// A connection with one request under way.
class Connection {
 public:
  Connection(const char* host, int port, int poll) {
    socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    ::inet_pton(AF_INET, host, &address.sin_addr);
    if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
      die("connect");
    }
    const int on = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ::fcntl(socket_, F_SETFL, O_NONBLOCK);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = this;
    ::epoll_ctl(poll, EPOLL_CTL_ADD, socket_, &event);
  }

  void send(RequestText& request) {
    const std::string& text = request.next();
    if (::write(socket_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
      die("write");
    }
    head_.clear();
    body_left_ = -1;
  }

  // Reads the available bytes. Returns true if they complete the answer.
  bool receive(std::vector<char>& buffer, Totals& totals) {
    for (;;) {
      const ssize_t got = ::read(socket_, buffer.data(), buffer.size());
      if (got < 0 && errno == EAGAIN) return false;
      if (got <= 0) die("read");
      totals.bytes += static_cast<std::size_t>(got);
      if (take({buffer.data(), static_cast<std::size_t>(got)}, totals)) return true;
    }
  }

 private:
  bool take(std::string_view bytes, Totals& totals) {
    if (body_left_ < 0) {
      head_ += bytes;
      const std::size_t end = head_.find("\r\n\r\n");
      if (end == std::string::npos) return false;
      const std::size_t length = head_.find("Content-Length: ");
      if (length > end) die("no Content-Length in the answer");
      if (head_[9] != '2') ++totals.failed;
      body_left_ = std::atoll(head_.c_str() + length + 16);
      body_left_ -= static_cast<long long>(head_.size() - end - 4);
    } else {
      body_left_ -= static_cast<long long>(bytes.size());
    }
    if (body_left_ > 0) return false;
    ++totals.requests;
    return true;
  }

  int socket_ = -1;
  std::string head_;
  long long body_left_ = -1;  // negative while the head is read
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: load_generator HOST PORT CONNECTIONS SECONDS < REQUEST\n");
    return 2;
  }
  RequestText request(std::string(std::istreambuf_iterator<char>(std::cin), {}));
  const int poll = ::epoll_create1(0);
  std::vector<Connection> connections;
  const int count = std::atoi(argv[3]);
  connections.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) connections.emplace_back(argv[1], std::atoi(argv[2]), poll);

  Totals totals;
  std::vector<char> buffer(1 << 20);
  epoll_event events[64];
  const auto start = SteadyClock::now();
  const auto end = start + std::chrono::duration<double>(std::atof(argv[4]));
  for (Connection& connection : connections) connection.send(request);
  while (SteadyClock::now() < end) {
    const int ready = ::epoll_wait(poll, events, 64, 1000);
    for (int i = 0; i < ready; ++i) {
      auto& connection = *static_cast<Connection*>(events[i].data.ptr);
      if (connection.receive(buffer, totals)) connection.send(request);
    }
  }
  const std::chrono::duration<double> took = SteadyClock::now() - start;
  std::printf("{\"seconds\":%.3f,\"requests\":%zu,\"bytes\":%zu,\"failed\":%zu}\n", took.count(),
              totals.requests, totals.bytes, totals.failed);
}
