// Opens watches, has objects written, and counts the events that arrive.
//
//   watch_load PORT WATCHES SECONDS WRITERS TARGET < REQUEST
//
// TARGET is what the watches GET. REQUEST is the bytes of the request that WRITERS keep-alive
// connections send repeatedly; a run of ######## in it becomes a number that counts up. Everything
// runs on one thread and 127.0.0.1. Prints one line of JSON: {"seconds":…, "writes":…, "events":…,
// "reads":…, "bytes":…}; `seconds` ends when each watch has got an event for each write.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace {

using SteadyClock = std::chrono::steady_clock;

[[noreturn]] void die(const char* what) {
  std::perror(what);
  std::exit(1);
}

struct Totals {
  std::size_t writes = 0, events = 0, reads = 0, bytes = 0, opened = 0;
};

struct Connection {
  int socket = -1;
  bool watches = false;
  bool head_seen = false;
  char last = 0;       // the last byte read before
  std::string answer;  // a writer's answer so far
};

void connect_to(int port, Connection& connection, int poll) {
  connection.socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(connection.socket, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    die("connect");
  }
  const int on = 1;
  ::setsockopt(connection.socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  ::fcntl(connection.socket, F_SETFL, O_NONBLOCK);
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.ptr = &connection;
  ::epoll_ctl(poll, EPOLL_CTL_ADD, connection.socket, &event);
}

void send_all(const Connection& connection, std::string_view text) {
  if (::write(connection.socket, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    die("write");
  }
}

// Events are lines that end in "}\n"; all other lines here end in "\r\n".
std::size_t count_events(Connection& connection, std::string_view bytes) {
  std::size_t events = 0;
  for (std::size_t at = bytes.find('\n'); at != std::string_view::npos;
       at = bytes.find('\n', at + 1)) {
    if ((at > 0 ? bytes[at - 1] : connection.last) == '}') ++events;
  }
  connection.last = bytes.back();
  return events;
}

class Load {
 public:
  Load(int port, int watches, int writers, const std::string& target, std::string request)
      : request_(std::move(request)), place_(request_.find("########")) {
    poll_ = ::epoll_create1(0);
    const std::string watch = "GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    for (int i = 0; i < watches + writers; ++i) {
      Connection& connection = *connections_.emplace_back(std::make_unique<Connection>());
      connection.watches = i < watches;
      connect_to(port, connection, poll_);
      if (!connection.watches) continue;
      send_all(connection, watch);
      // No more at once than the server's accept queue holds.
      while (totals.opened + 1000 < static_cast<std::size_t>(i)) wait();
    }
    while (totals.opened < static_cast<std::size_t>(watches)) wait();
    totals.events = totals.reads = totals.bytes = 0;
  }

  void write_until(SteadyClock::time_point end) {
    writing_ = true;
    for (const auto& connection : connections_) {
      if (!connection->watches) send_next(*connection);
    }
    while (SteadyClock::now() < end) wait();
    writing_ = false;
    while (under_way_ > 0) wait();
  }

  void wait() {
    epoll_event events[256];
    const int ready = ::epoll_wait(poll_, events, 256, 10'000);
    if (ready == 0) die("nothing comes any more");
    for (int i = 0; i < ready; ++i) read_from(*static_cast<Connection*>(events[i].data.ptr));
  }

  Totals totals;

 private:
  void send_next(Connection& connection) {
    if (place_ != std::string::npos) {
      char digits[9];
      std::snprintf(digits, sizeof digits, "%08u", number_++);
      request_.replace(place_, 8, digits);
    }
    ++under_way_;
    send_all(connection, request_);
  }

  void read_from(Connection& connection) {
    const ssize_t got = ::read(connection.socket, buffer_.data(), buffer_.size());
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) die("read");
    const std::string_view bytes(buffer_.data(), static_cast<std::size_t>(got));
    connection.watches ? take_events(connection, bytes) : take_answer(connection, bytes);
  }

  void take_events(Connection& connection, std::string_view bytes) {
    if (!connection.head_seen) {
      if (!bytes.starts_with("HTTP/1.1 200")) die("a watch was refused");
      connection.head_seen = true;
      ++totals.opened;
    }
    ++totals.reads;
    totals.bytes += bytes.size();
    totals.events += count_events(connection, bytes);
  }

  void take_answer(Connection& connection, std::string_view bytes) {
    connection.answer += bytes;
    const std::size_t head = connection.answer.find("\r\n\r\n");
    if (head == std::string::npos) return;
    const std::size_t length = connection.answer.find("Content-Length: ");
    if (length > head) die("no Content-Length in the answer");
    const std::size_t size = std::strtoul(connection.answer.c_str() + length + 16, nullptr, 10);
    if (connection.answer.size() < head + 4 + size) return;
    if (connection.answer[9] != '2') die(connection.answer.c_str());
    connection.answer.clear();
    ++totals.writes;
    --under_way_;
    if (writing_) send_next(connection);
  }

  int poll_;
  std::vector<std::unique_ptr<Connection>> connections_;
  std::vector<char> buffer_ = std::vector<char>(1 << 20);
  std::string request_;
  std::size_t place_;
  unsigned number_ = 0;
  std::size_t under_way_ = 0;
  bool writing_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fprintf(stderr, "usage: watch_load PORT WATCHES SECONDS WRITERS TARGET < REQUEST\n");
    return 2;
  }
  rlimit limit;
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  const int watches = std::atoi(argv[2]);
  Load load(std::atoi(argv[1]), watches, std::atoi(argv[4]), argv[5],
            std::string(std::istreambuf_iterator<char>(std::cin), {}));
  const auto start = SteadyClock::now();
  load.write_until(start + std::chrono::duration_cast<SteadyClock::duration>(
                               std::chrono::duration<double>(std::atof(argv[3]))));
  while (load.totals.events < load.totals.writes * static_cast<std::size_t>(watches)) load.wait();
  const std::chrono::duration<double> took = SteadyClock::now() - start;
  std::printf("{\"seconds\":%.3f,\"writes\":%zu,\"events\":%zu,\"reads\":%zu,\"bytes\":%zu}\n",
              took.count(), load.totals.writes, load.totals.events, load.totals.reads,
              load.totals.bytes);
}
