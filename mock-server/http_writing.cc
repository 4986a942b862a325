// Writes answers straight from the core's buffers, by gathering system calls, and reads their
// streams.
#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <string>
#include <utility>

#include "http_exchange.h"
#include "request_gate.h"
#include "tunnel_connection.h"

namespace tabernetes::host {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr std::size_t kDrainReads = 64 * 1024;
constexpr std::size_t kWriteSize = 1024 * 1024;  // most bytes per system call
constexpr std::size_t kPipelined = 64 * 1024;    // most bytes kept of requests sent during a watch
constexpr std::size_t kLargestJoined = 64 * 1024;
constexpr std::chrono::seconds kDrainTime(5);  // to read the rest of a refused request

}  // namespace

// ---- answering

void HttpConnection::hand_over(Request request) {
  phase_ = Phase::kAnswering;
  answer_request(*context_, std::move(request), [self = shared_from_this()](Response response) {
    self->respond(std::move(response));
  });
}

// Answers without the core, then closes the connection, whose input can no longer be trusted.
void HttpConnection::refuse(Response response) {
  phase_ = Phase::kAnswering;
  options_.keep_alive = false;
  input_unread_ = true;
  respond(std::move(response));
}

void HttpConnection::respond(Response response) {
  if (logged_) logged_->audit_id = find_header(response.headers, "Audit-Id");
  if (response.lost) return close();
  if (response.status == 101) return upgrade(std::move(response));
  if (context_->stopping) options_.keep_alive = false;
  options_.date = context_->core.date();
  framing_ = framing_of(response, options_);
  if (framing_ == Framing::kClose) options_.keep_alive = false;
  status_ = response.status;
  bytes_sent_ = 0;
  head_ = format_head(response, framing_, options_);
  body_ = framing_ == Framing::kLength ? std::move(response.body) : Rope();
  gzip_.reset();
  if (response.content_encoding == ContentEncoding::kGzip && framing_ != Framing::kNone) {
    gzip_ = std::make_unique<GzipBody>();
    gzip_->add(response.body);
    if (!response.stream) gzip_->finish();
  }
  if (response.stream) {
    reader_ = std::make_shared<StreamReader>(context_->core, std::move(response.stream));
    // Drops the stream of a HEAD request, or if the peer has left.
    if (framing_ == Framing::kNone || phase_ == Phase::kClosed) {
      reader_->close();
      reader_.reset();
    }
  }
  if (phase_ == Phase::kClosed) return;

  buffers_.clear();
  buffers_.reserve(1 + body_.slices().size());
  buffers_.push_back(to_buffer(head_));
  for (const Slice& slice : body_.slices()) buffers_.push_back(to_buffer(slice.view()));
  if (reader_) {
    phase_ = Phase::kStreaming;
    if (!reader_->finite()) {
      buffer_.shrink_to_fit();  // a watch may last for hours
      watch_peer();
    }
  }
  write_buffers();
}

// Writes as much as the system accepts at once, usually everything, and the rest asynchronously.
void HttpConnection::write_buffers() {
  BufferSpan left{buffers_.data(), buffers_.data() + buffers_.size()};
  error_code error;
  while (left.first != left.last) {
    const std::size_t written = wire_->write_now(left, error);
    if (error) break;
    bytes_sent_ += written;
    left.skip(written);
  }
  if (error != asio::error::would_block) return on_written(error);
  left = as_record(left);
  writing_ = true;
  // Called before each system call: the client has to take something in that time.
  const auto go_on = [this](const error_code& failed, std::size_t) {
    if (failed) return std::size_t{0};
    wire_->expires_after(limits().write);
    return kWriteSize;
  };
  asio::async_write(*wire_, BufferSpan(left), go_on,
                    [self = shared_from_this()](error_code failed, std::size_t bytes) {
                      self->writing_ = false;
                      self->bytes_sent_ += bytes;
                      self->on_written(failed);
                    });
}

// Joins small pieces, each of which TLS would send in a record and a packet of its own.
BufferSpan HttpConnection::as_record(BufferSpan pieces) {
  if (!wire_->secure() || pieces.last - pieces.first < 2) return pieces;
  std::size_t size = 0;
  for (const asio::const_buffer& each : pieces) size += each.size();
  if (size > kLargestJoined) return pieces;
  record_.clear();
  for (const asio::const_buffer& each : pieces) {
    record_.append(static_cast<const char*>(each.data()), each.size());
  }
  buffers_ = {to_buffer(record_)};
  return {buffers_.data(), buffers_.data() + 1};
}

void HttpConnection::on_written(error_code error) {
  body_ = Rope();
  if (error || phase_ == Phase::kClosed) return drop(error, Dropped::kWrite);
  if (gzip_ && !gzip_->drained()) return compress_soon();
  if (reader_) return context_->stopping && !reader_->finite() ? shut_down() : read_unit();
  finish_exchange();
}

// Posted, so that the thread's other connections get a turn between two pieces.
void HttpConnection::compress_soon() {
  compressing_ = true;
  asio::post(wire_->get_executor(), [self = shared_from_this()] {
    self->compressing_ = false;
    if (self->phase_ != Phase::kClosed) self->write_compressed();
  });
}

// Writes the next piece of a compressed body.
void HttpConnection::write_compressed() {
  body_ = Rope(gzip_->next());
  const bool ended = gzip_->drained() && !reader_;
  frame_body(ended && !breaks_off_);
  if (ended) gzip_.reset();
  write_buffers();
}

void HttpConnection::finish_exchange() {
  if (breaks_off_) return close();
  log_exchange();
  served_ = true;
  if (options_.keep_alive) {
    reads_next_ = wire_->secure() && watching_peer_;
    if (reads_next_) {
      phase_ = Phase::kReading;
      return limit_read_ahead();
    }
    return read_head();
  }
  if (!input_unread_) return say_goodbye();
  error_code ignored;
  wire_->socket().shutdown(tcp::socket::shutdown_send, ignored);
  phase_ = Phase::kReading;
  wire_->expires_after(kDrainTime);
  drain();
}

// Reads and drops the rest of the request: closing on unread input would reset the connection, and
// the peer might lose the answer.
void HttpConnection::drain() {
  buffer_.clear();
  wire_->async_read_some(buffer_.prepare(kDrainReads),
                         [self = shared_from_this()](error_code error, std::size_t) {
                           if (error) return self->close();
                           self->drain();
                         });
}

// ---- streaming

void HttpConnection::read_unit() {
  reader_->read([self = shared_from_this()](Rope unit, bool ended) {
    self->write_unit(std::move(unit), ended);
  });
}

void HttpConnection::write_unit(Rope unit, bool ended) {
  if (!reader_ || writing_) return;  // closed or shut down meanwhile
  if (ended) {
    breaks_off_ = reader_->broken();
    reader_->close();
    reader_.reset();
    phase_ = Phase::kAnswering;
  }
  if (gzip_) {
    gzip_->add(unit);
    if (ended) gzip_->finish();
    return write_compressed();
  }
  body_ = std::move(unit);
  frame_body(ended && !breaks_off_);
  write_buffers();
}

// Puts `body_` into `buffers_`, framed as a chunk if need be. `ended`: it is the last piece.
void HttpConnection::frame_body(bool ended) {
  const bool chunked = framing_ == Framing::kChunked;
  buffers_.clear();
  if (!body_.empty()) {
    head_ = format_chunk_size(body_.size());
    if (chunked) buffers_.push_back(to_buffer(head_));
    for (const Slice& slice : body_.slices()) buffers_.push_back(to_buffer(slice.view()));
    if (chunked) buffers_.push_back(to_buffer("\r\n"));
  }
  if (ended && chunked) buffers_.push_back(to_buffer("0\r\n\r\n"));
}

// Detects that the peer leaves while there is nothing to send. Needs no buffer.
void HttpConnection::watch_peer() {
  if (watching_peer_) return;
  watching_peer_ = true;
  if (wire_->secure()) return read_ahead();
  wire_->socket().async_wait(tcp::socket::wait_read,
                             [self = shared_from_this(), watch = reader_](error_code error) {
                               self->watching_peer_ = false;
                               if (!self->reader_ || self->reader_->finite()) return;
                               // The event may have been the request that began this watch.
                               if (self->reader_ != watch) return self->watch_peer();
                               if (error) return self->close();
                               self->look_at_peer();
                             });
}

void HttpConnection::look_at_peer() {
  error_code error;
  const std::size_t available = wire_->socket().available(error);
  if (error || available == 0) return close();
  // The peer has sent its next request early. Beyond kPipelined it stays in the system's buffer.
  if (buffer_.size() >= kPipelined) return;
  const std::size_t read = wire_->socket().read_some(
      buffer_.prepare(std::min(available, kPipelined - buffer_.size())), error);
  if (error) return close();
  buffer_.commit(read);
  watch_peer();
}

// Detects over TLS that the peer leaves: its records must be read for that.
void HttpConnection::read_ahead() {
  wire_->expires_never();
  wire_->async_read_some(buffer_.prepare(kFirstRead),
                         [self = shared_from_this()](error_code error, std::size_t bytes) {
                           self->on_read_ahead(error, bytes);
                         });
}

// Ends the wait for the next request, whose read is under way without a limit.
void HttpConnection::limit_read_ahead() {
  wait_.emplace(wire_->get_executor());
  wait_->expires_after(limits().idle);
  wait_->async_wait([weak = weak_from_this()](error_code error) {
    const auto self = weak.lock();
    if (error || !self || !self->reads_next_) return;
    self->drop(boost::beast::error::timeout, Dropped::kIdle);
  });
}

void HttpConnection::on_read_ahead(error_code error, std::size_t bytes) {
  watching_peer_ = false;
  wait_.reset();
  if (phase_ == Phase::kClosed) return;
  if (error) return close();
  buffer_.commit(bytes);
  if (std::exchange(reads_next_, false)) return read_head();
  if (reader_ && !reader_->finite() && buffer_.size() < kPipelined) watch_peer();
}

// Hands the connection to a WebSocket or another protocol and ends with it.
void HttpConnection::upgrade(Response response) {
  const auto events = std::make_shared<StreamReader>(context_->core, std::move(response.stream));
  if (phase_ == Phase::kClosed) return events->close();
  if (buffer_.size() > 0) {
    events->close();
    return refuse(text_answer(400, "400 Bad Request: data before the upgrade"));
  }
  phase_ = Phase::kUpgraded;
  status_ = response.status;
  const auto on_closed = [self = shared_from_this()](std::size_t bytes) {
    self->bytes_sent_ = bytes;
    self->log_exchange();
    self->phase_ = Phase::kClosed;
    self->websocket_.reset();
  };
  if (response.message_type == MessageType::kNone) {
    std::string head = "HTTP/1.1 101 Switching Protocols\r\n";
    for (const auto& [name, value] : response.headers) {
      head.append(name).append(": ").append(value).append("\r\n");
    }
    websocket_ = open_tunnel(std::move(wire_), head + "\r\n", events, on_closed);
    if (context_->stopping) websocket_->shut_down();
    return;
  }
  const WebSocketHandshake handshake{
      std::move(websocket_key_),
      std::string(find_header(response.headers, "Sec-WebSocket-Protocol"))};
  websocket_ =
      open_websocket(std::move(wire_), handshake, response.message_type, events, on_closed);
  if (context_->stopping) websocket_->shut_down();
}

}  // namespace tabernetes::host
