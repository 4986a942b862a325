// Tests what becomes of clients that take too long, with limits that are short.
#include "connection_limits.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <string>
#include <string_view>
#include <thread>

#include "core_strand.h"
#include "http_server.h"
#include "io_threads.h"
#include "listener.h"

using namespace tabernetes;
using namespace tabernetes::host;
using namespace std::chrono_literals;

namespace {

// Longer than what a test does at once, much shorter than a test may last.
constexpr auto kShort = 300ms;
constexpr std::string_view kAskHealth = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

ConnectionLimits long_limits() {
  return {.head = 60s, .idle = 60s, .body = 60s, .whole_body = 60s, .write = 60s};
}

// A server on a free port, in threads of its own.
class LimitedServer {
 public:
  explicit LimitedServer(ConnectionLimits limits) {
    HttpSettings settings;
    settings.limits = limits;
    counts_ = settings.counts;
    const Listener listener = bind_listener(ListenAddress{"127.0.0.1", 0});
    REQUIRE(listener.problem.empty());
    port_ = listener.place.address.port;
    server_.emplace(threads_, core_, std::move(settings));
    REQUIRE(server_->serve(listener.socket).empty());
    thread_ = std::thread([this] { threads_.run(); });
  }

  ~LimitedServer() {
    threads_[0].run([this] {
      server_->shut_down();
      server_->when_idle([this] {
        core_.stop();
        threads_.release();
      });
    });
    thread_.join();
  }

  std::uint16_t port() const { return port_; }
  // Returns true if so many clients are dropped soon.
  bool drops(Dropped why, std::uint64_t wanted) const {
    const auto& dropped = counts_->dropped[static_cast<std::size_t>(why)];
    for (int i = 0; i < 1000 && dropped < wanted; ++i) std::this_thread::sleep_for(10ms);
    return dropped == wanted;
  }

 private:
  IoThreads threads_{2};
  CoreStrand core_{threads_, Options{}, Time::from_unix_milliseconds(1'767'225'600'000)};
  std::shared_ptr<ConnectionCounts> counts_;
  std::uint16_t port_ = 0;
  std::optional<HttpServer> server_;
  std::thread thread_;
};

class Client {
 public:
  explicit Client(const LimitedServer& server) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(server.port());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int few = 4096;
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &few, sizeof few);
    REQUIRE(::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  }
  ~Client() { ::close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  bool send(std::string_view text) {
    return ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(text.size());
  }

  // Returns true if `text` arrives in time.
  bool gets(std::string_view text) {
    while (received_.find(text) == std::string::npos) {
      if (!read(5s)) return false;
    }
    received_.clear();
    return true;
  }

  // Returns true if the server closes the connection in time; what arrives before is dropped.
  bool is_dropped() {
    const auto end = std::chrono::steady_clock::now() + 10s;
    while (std::chrono::steady_clock::now() < end) {
      if (!read(1s) && ended_) return true;
    }
    return false;
  }

 private:
  bool read(std::chrono::milliseconds patience) {
    pollfd wanted{socket_, POLLIN, 0};
    if (::poll(&wanted, 1, static_cast<int>(patience.count())) <= 0) return false;
    char bytes[4096];
    const ssize_t size = ::recv(socket_, bytes, sizeof bytes, 0);
    ended_ = size <= 0;
    if (!ended_) received_.append(bytes, static_cast<std::size_t>(size));
    return !ended_;
  }

  const int socket_;
  std::string received_;
  bool ended_ = false;
};

// Frames of HTTP/2.

std::string frame(char type, char flags, std::uint32_t stream, std::string_view payload) {
  std::string text = {static_cast<char>(payload.size() >> 16),
                      static_cast<char>(payload.size() >> 8), static_cast<char>(payload.size()),
                      type, flags};
  for (int shift = 24; shift >= 0; shift -= 8) text += static_cast<char>(stream >> shift);
  return text.append(payload);
}

constexpr std::string_view kHttp2Preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
constexpr char kData = 0, kHeaders = 1, kReset = 3, kSettings = 4;
constexpr char kEndStream = 1, kEndHeaders = 4;

std::string http2_start(std::string_view settings = {}) {
  return std::string(kHttp2Preface) + frame(kSettings, 0, 0, settings);
}

// A method of HPACK's static table, http, a path, and the authority localhost.
std::string http2_head(char method, std::string_view path) {
  std::string head = {static_cast<char>(0x80 | method), static_cast<char>(0x86), 0x04,
                      static_cast<char>(path.size())};
  head.append(path).append("\x01\x09").append("localhost");
  return head;
}
constexpr char kGet = 2, kPost = 3;

}  // namespace

TEST_CASE(
    "connection limits: a head that does not come, or not to its end, is waited for shortly") {
  ConnectionLimits limits = long_limits();
  limits.head = kShort;
  LimitedServer server(limits);
  Client silent(server), slow(server), good(server);
  REQUIRE(slow.send("GET /healthz HTTP/1.1\r\nHost: loc"));
  REQUIRE(good.send(kAskHealth));
  CHECK(good.gets("\r\n\r\nok"));
  CHECK(silent.is_dropped());
  CHECK(slow.is_dropped());
  // The limit counts from the first byte on: between requests another holds.
  std::this_thread::sleep_for(2 * kShort);
  CHECK(good.send(kAskHealth));
  CHECK(good.gets("\r\n\r\nok"));
  CHECK(server.drops(Dropped::kHead, 2));
  // A byte now and then does not prolong it.
  Client trickle(server);
  bool sent = trickle.send("GET / HTTP/1.1\r\nX: ");
  const auto begun = std::chrono::steady_clock::now();
  while (sent && std::chrono::steady_clock::now() < begun + 10s) {
    std::this_thread::sleep_for(kShort / 10);
    sent = trickle.send("a");
  }
  CHECK_FALSE(sent);
  CHECK(server.drops(Dropped::kHead, 3));
}

TEST_CASE("connection limits: a connection without requests is kept for a while") {
  ConnectionLimits limits = long_limits();
  limits.idle = kShort;
  LimitedServer server(limits);
  Client client(server), http2(server);
  REQUIRE(client.send(kAskHealth));
  CHECK(client.gets("\r\n\r\nok"));
  CHECK(client.is_dropped());
  CHECK(server.drops(Dropped::kIdle, 1));
  REQUIRE(http2.send(http2_start()));
  CHECK(http2.is_dropped());
  CHECK(server.drops(Dropped::kIdle, 2));
}

TEST_CASE("connection limits: a body has to go on, and to come to its end") {
  constexpr std::string_view kPostHead =
      "POST /api/v1/namespaces HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      "Content-Length: 1000\r\n\r\n";
  ConnectionLimits limits = long_limits();
  limits.body = kShort;
  SECTION("without a byte") {
    LimitedServer server(limits);
    Client client(server);
    REQUIRE(client.send(std::string(kPostHead) + "{"));
    CHECK(client.is_dropped());
    CHECK(server.drops(Dropped::kBody, 1));
  }
  SECTION("a byte now and then") {
    limits.whole_body = 4 * kShort;
    LimitedServer server(limits);
    Client client(server);
    bool sent = client.send(std::string(kPostHead));
    const auto begun = std::chrono::steady_clock::now();
    while (sent && std::chrono::steady_clock::now() < begun + 10s) {
      std::this_thread::sleep_for(kShort / 5);
      sent = client.send(" ");
    }
    CHECK_FALSE(sent);
    CHECK(std::chrono::steady_clock::now() - begun > 3 * kShort);
    CHECK(server.drops(Dropped::kBody, 1));
  }
  SECTION("of HTTP/2, a stream alone") {
    LimitedServer server(limits);
    Client client(server);
    REQUIRE(client.send(http2_start() +
                        frame(kHeaders, kEndHeaders, 1, http2_head(kPost, "/api/v1/namespaces")) +
                        frame(kData, 0, 1, "{")));
    CHECK(client.gets(frame(kReset, 0, 1, std::string_view("\0\0\0\x08", 4))));
    CHECK(server.drops(Dropped::kBody, 1));
    REQUIRE(
        client.send(frame(kHeaders, kEndHeaders | kEndStream, 3, http2_head(kGet, "/healthz"))));
    CHECK(client.gets(frame(kData, kEndStream, 3, "ok")));
  }
}

TEST_CASE("connection limits: an answer has to be taken") {
  ConnectionLimits limits = long_limits();
  limits.write = kShort;
  LimitedServer server(limits);
  SECTION("over HTTP/1.1") {
    Client client(server);
    // Many, as the system's buffers take some megabytes.
    for (int i = 0; i < 20; ++i) {
      REQUIRE(client.send("GET /openapi/v2 HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    }
    CHECK(server.drops(Dropped::kWrite, 1));
  }
  SECTION("over HTTP/2, by a window that stays shut: a stream alone") {
    const std::string no_window("\0\x04\0\0\0\0", 6);  // SETTINGS_INITIAL_WINDOW_SIZE 0
    Client client(server);
    REQUIRE(client.send(http2_start(no_window) + frame(kHeaders, kEndHeaders | kEndStream, 1,
                                                       http2_head(kGet, "/healthz"))));
    CHECK(client.gets(frame(kReset, 0, 1, std::string_view("\0\0\0\x08", 4))));
    CHECK(server.drops(Dropped::kWrite, 1));
  }
}

TEST_CASE("connection limits: an HTTP/2 head that does not end ends its connection") {
  ConnectionLimits limits = long_limits();
  limits.head = kShort;
  LimitedServer server(limits);
  Client client(server);
  REQUIRE(client.send(http2_start() + frame(kHeaders, 0, 1, http2_head(kGet, "/healthz"))));
  CHECK(client.is_dropped());
  CHECK(server.drops(Dropped::kHead, 1));
}
