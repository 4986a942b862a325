#include "etcd/channel.h"

#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <charconv>
#include <chrono>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "tls_trust.h"

namespace tabernetes::host::etcd {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using tcp = asio::ip::tcp;

constexpr std::chrono::seconds kConnectTime(2), kPingEvery(5);
// How much the server may send before it is read.
constexpr std::int32_t kWindow = 16 << 20;
constexpr std::size_t kMessageHead = 5;  // of gRPC: a byte and the size
constexpr std::size_t kMostAtOnce = 256 << 10;

class Http2Channel final : public Channel, public std::enable_shared_from_this<Http2Channel> {
 public:
  Http2Channel(asio::io_context& context, const Endpoint& to, asio::ssl::context* trust,
               std::function<void(std::string)> ready, std::function<void(std::string)> lost)
      : to_(to),
        resolver_(context),
        timer_(context),
        ready_(std::move(ready)),
        lost_(std::move(lost)) {
    if (to.tls && trust != nullptr) {
      tls_.emplace(context, *trust);
    } else {
      plain_.emplace(context);
    }
  }
  ~Http2Channel() override { nghttp2_session_del(session_); }

  void begin();
  CallId call(std::string_view method, std::string_view message, std::string_view token, Kind kind,
              Events events) override;
  void cancel(CallId call) override;
  void close() override;

 private:
  struct Call {
    Events events;
    std::string out;  // what is to be sent
    std::size_t sent = 0;
    bool last = true;  // nothing more follows
    std::string in;    // of messages not complete yet
    CallEnd end{.code = kUnavailable, .message = "the connection was lost"};
    bool has_status = false;
  };

  tcp::socket& socket() { return tls_ ? tls_->next_layer() : *plain_; }
  void fail(const std::string& problem);
  void shake_hands();
  void start();
  void read();
  void write();
  void watch_over();
  void take_messages(Call& call);

  static Http2Channel& self(void* data) { return *static_cast<Http2Channel*>(data); }
  static ssize_t read_body(nghttp2_session* session, std::int32_t stream, std::uint8_t* to,
                           std::size_t size, std::uint32_t* flags, nghttp2_data_source* source,
                           void* data);
  static int on_header(nghttp2_session* session, const nghttp2_frame* frame,
                       const std::uint8_t* name, std::size_t name_size, const std::uint8_t* value,
                       std::size_t value_size, std::uint8_t flags, void* data);
  static int on_data(nghttp2_session* session, std::uint8_t flags, std::int32_t stream,
                     const std::uint8_t* bytes, std::size_t size, void* data);
  static int on_close(nghttp2_session* session, std::int32_t stream, std::uint32_t error,
                      void* data);
  static int on_frame(nghttp2_session* session, const nghttp2_frame* frame, void* data);

  const Endpoint to_;
  tcp::resolver resolver_;
  asio::steady_timer timer_;
  std::optional<tcp::socket> plain_;
  std::optional<asio::ssl::stream<tcp::socket>> tls_;
  std::function<void(std::string)> ready_, lost_;
  std::string refused_;  // why a certificate was

  nghttp2_session* session_ = nullptr;
  std::map<CallId, Call> calls_;
  std::vector<std::uint8_t> in_ = std::vector<std::uint8_t>(64 << 10);
  std::string out_;
  bool writing_ = false, posted_ = false, closed_ = false;
  bool heard_ = false;  // since the last ping
};

void Http2Channel::begin() {
  timer_.expires_after(kConnectTime);
  timer_.async_wait([self = shared_from_this()](const error_code& error) {
    if (!error && self->ready_) self->fail("connecting took too long");
  });
  resolver_.async_resolve(
      to_.host, to_.port,
      [self = shared_from_this()](const error_code& error, const tcp::resolver::results_type& to) {
        if (self->closed_) return;
        if (error) return self->fail(error.message());
        asio::async_connect(self->socket(), to, [self](const error_code& failed, const auto&) {
          if (self->closed_) return;
          if (failed) return self->fail(failed.message());
          self->shake_hands();
        });
      });
}

void Http2Channel::shake_hands() {
  error_code ignored;
  socket().set_option(tcp::no_delay(true), ignored);
  if (!tls_) return start();
  expect_server(tls_->native_handle(), to_.host);
  static constexpr unsigned char kProtocol[] = {2, 'h', '2'};
  SSL_set_alpn_protos(tls_->native_handle(), kProtocol, sizeof kProtocol);
  tls_->set_verify_callback([this](bool good, asio::ssl::verify_context& verified) {
    if (!good) refused_ = certificate_fault(verified.native_handle(), to_.host);
    return good;
  });
  tls_->async_handshake(asio::ssl::stream_base::client,
                        [self = shared_from_this()](const error_code& error) {
                          if (self->closed_) return;
                          if (!error) return self->start();
                          self->fail(self->refused_.empty() ? error.message() : self->refused_);
                        });
}

void Http2Channel::start() {
  nghttp2_session_callbacks* callbacks = nullptr;
  nghttp2_session_callbacks_new(&callbacks);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, &on_header);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, &on_data);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, &on_close);
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, &on_frame);
  nghttp2_session_client_new(&session_, callbacks, this);
  nghttp2_session_callbacks_del(callbacks);
  const nghttp2_settings_entry settings[] = {
      {NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
      {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, static_cast<std::uint32_t>(kWindow)}};
  nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, settings, std::size(settings));
  nghttp2_session_set_local_window_size(session_, NGHTTP2_FLAG_NONE, 0, kWindow);
  write();
  read();
  heard_ = true;
  watch_over();
  const auto ready = std::exchange(ready_, nullptr);
  ready({});
}

// Ends a connection on which nothing is heard.
void Http2Channel::watch_over() {
  timer_.expires_after(kPingEvery);
  timer_.async_wait([self = shared_from_this()](const error_code& error) {
    if (error || self->closed_) return;
    if (!std::exchange(self->heard_, false)) return self->fail("the server does not answer");
    nghttp2_submit_ping(self->session_, NGHTTP2_FLAG_NONE, nullptr);
    self->write();
    self->watch_over();
  });
}

void Http2Channel::read() {
  const auto on_read = [self = shared_from_this()](const error_code& error, std::size_t size) {
    if (self->closed_) return;
    if (error) return self->fail(error.message());
    self->heard_ = true;
    if (nghttp2_session_mem_recv(self->session_, self->in_.data(), size) < 0) {
      return self->fail("the server does not speak HTTP/2");
    }
    if (self->closed_) return;
    self->write();
    self->read();
  };
  if (tls_) {
    tls_->async_read_some(asio::buffer(in_), on_read);
  } else {
    plain_->async_read_some(asio::buffer(in_), on_read);
  }
}

// Sends what there is, soon: so calls that are made together go together.
void Http2Channel::write() {
  if (writing_ || posted_ || closed_ || session_ == nullptr) return;
  posted_ = true;
  asio::post(socket().get_executor(), [self = shared_from_this()] {
    self->posted_ = false;
    if (self->closed_) return;
    self->out_.clear();
    while (self->out_.size() < kMostAtOnce) {
      const std::uint8_t* bytes = nullptr;
      const ssize_t size = nghttp2_session_mem_send(self->session_, &bytes);
      if (size <= 0) break;
      self->out_.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
    }
    if (self->out_.empty()) return;
    self->writing_ = true;
    const auto on_written = [self](const error_code& error, std::size_t) {
      self->writing_ = false;
      if (self->closed_) return;
      if (error) return self->fail(error.message());
      self->write();
    };
    if (self->tls_) {
      asio::async_write(*self->tls_, asio::buffer(self->out_), on_written);
    } else {
      asio::async_write(*self->plain_, asio::buffer(self->out_), on_written);
    }
  });
}

Channel::CallId Http2Channel::call(std::string_view method, std::string_view message,
                                   std::string_view token, Kind kind, Events events) {
  Call call;
  call.events = std::move(events);
  call.last = kind == Kind::kUnary;
  call.out += '\0';
  for (int shift = 24; shift >= 0; shift -= 8) {
    call.out += static_cast<char>(message.size() >> shift & 0xff);
  }
  call.out += message;
  const std::string authority = to_.authority();
  std::vector<nghttp2_nv> headers;
  const auto add = [&](std::string_view name, std::string_view value) {
    const auto bytes = [](std::string_view text) {
      return reinterpret_cast<std::uint8_t*>(const_cast<char*>(text.data()));
    };
    headers.push_back({bytes(name), bytes(value), name.size(), value.size(), NGHTTP2_NV_FLAG_NONE});
  };
  add(":method", "POST");
  add(":scheme", to_.tls ? "https" : "http");
  add(":path", method);
  add(":authority", authority);
  add("content-type", "application/grpc");
  add("te", "trailers");
  if (!token.empty()) add("token", token);
  nghttp2_data_provider body{.source = {.ptr = nullptr}, .read_callback = &read_body};
  const CallId id =
      nghttp2_submit_request(session_, nullptr, headers.data(), headers.size(), &body, nullptr);
  calls_.emplace(id, std::move(call));
  write();
  return id;
}

ssize_t Http2Channel::read_body(nghttp2_session*, std::int32_t stream, std::uint8_t* to,
                                std::size_t size, std::uint32_t* flags, nghttp2_data_source*,
                                void* data) {
  const auto found = self(data).calls_.find(stream);
  if (found == self(data).calls_.end()) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
  Call& call = found->second;
  const std::size_t part = std::min(size, call.out.size() - call.sent);
  if (part == 0 && !call.last) return NGHTTP2_ERR_DEFERRED;
  std::copy_n(call.out.data() + call.sent, part, to);
  call.sent += part;
  if (call.sent == call.out.size() && call.last) *flags |= NGHTTP2_DATA_FLAG_EOF;
  return static_cast<ssize_t>(part);
}

int Http2Channel::on_header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name,
                            std::size_t name_size, const std::uint8_t* value,
                            std::size_t value_size, std::uint8_t, void* data) {
  const auto found = self(data).calls_.find(frame->hd.stream_id);
  if (found == self(data).calls_.end()) return 0;
  Call& call = found->second;
  const std::string_view key(reinterpret_cast<const char*>(name), name_size);
  const std::string_view text(reinterpret_cast<const char*>(value), value_size);
  if (key == "grpc-status") {
    call.has_status = true;
    call.end.code = kUnavailable;
    std::from_chars(text.data(), text.data() + text.size(), call.end.code);
    if (call.end.code == 0) call.end.message.clear();
  } else if (key == "grpc-message") {
    call.end.message = text;
  } else if (key == ":status" && text != "200") {
    call.end.message = "HTTP status " + std::string(text);
  }
  return 0;
}

void Http2Channel::take_messages(Call& call) {
  std::vector<std::string> messages;
  std::string_view rest = call.in;
  while (rest.size() >= kMessageHead) {
    std::size_t size = 0;
    for (std::size_t i = 1; i < kMessageHead; ++i) {
      size = size << 8 | static_cast<unsigned char>(rest[i]);
    }
    if (rest.size() - kMessageHead < size) break;
    messages.emplace_back(rest.substr(kMessageHead, size));
    rest.remove_prefix(kMessageHead + size);
  }
  call.in.erase(0, call.in.size() - rest.size());
  const auto on_message = call.events.message;  // the call may end meanwhile
  if (!on_message) return;
  for (std::string& message : messages) on_message(std::move(message));
}

int Http2Channel::on_data(nghttp2_session*, std::uint8_t, std::int32_t stream,
                          const std::uint8_t* bytes, std::size_t size, void* data) {
  const auto found = self(data).calls_.find(stream);
  if (found == self(data).calls_.end()) return 0;
  found->second.in.append(reinterpret_cast<const char*>(bytes), size);
  self(data).take_messages(found->second);
  return 0;
}

int Http2Channel::on_close(nghttp2_session*, std::int32_t stream, std::uint32_t, void* data) {
  const auto found = self(data).calls_.find(stream);
  if (found == self(data).calls_.end()) return 0;
  Call call = std::move(found->second);
  self(data).calls_.erase(found);
  if (call.events.end) call.events.end(std::move(call.end));
  return 0;
}

int Http2Channel::on_frame(nghttp2_session*, const nghttp2_frame* frame, void* data) {
  if (frame->hd.type == NGHTTP2_GOAWAY) {
    asio::post(self(data).socket().get_executor(),
               [self = self(data).shared_from_this()] { self->fail("the server goes away"); });
  }
  return 0;
}

void Http2Channel::cancel(CallId call) {
  if (calls_.erase(call) == 0 || closed_) return;
  nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, call, NGHTTP2_CANCEL);
  write();
}

void Http2Channel::fail(const std::string& problem) {
  if (closed_) return;
  const auto ready = std::exchange(ready_, nullptr);
  const auto lost = std::exchange(lost_, nullptr);
  auto calls = std::exchange(calls_, {});
  close();
  if (ready) return ready(problem);
  for (auto& [id, call] : calls) {
    if (call.events.end) call.events.end({.code = kUnavailable, .message = problem});
  }
  if (lost) lost(problem);
}

void Http2Channel::close() {
  if (std::exchange(closed_, true)) return;
  calls_.clear();
  ready_ = nullptr;
  lost_ = nullptr;
  resolver_.cancel();
  timer_.cancel();
  error_code ignored;
  socket().close(ignored);
}

}  // namespace

std::shared_ptr<Channel> Channel::connect(asio::io_context& context, const Endpoint& to,
                                          asio::ssl::context* trust,
                                          std::function<void(std::string)> ready,
                                          std::function<void(std::string)> lost) {
  auto channel =
      std::make_shared<Http2Channel>(context, to, trust, std::move(ready), std::move(lost));
  channel->begin();
  return channel;
}

}  // namespace tabernetes::host::etcd
