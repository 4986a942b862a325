// A connection that speaks HTTP/1.x, or finds out that its client speaks another protocol. For
// http_connection.cc, http_reading.cc and http_writing.cc only.
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connection.h"
#include "gzip_body.h"
#include "log.h"
#include "request_parser.h"
#include "response_head.h"
#include "stream_reader.h"
#include "websocket_connection.h"
#include "wire.h"

namespace tabernetes::host {

inline boost::asio::const_buffer to_buffer(std::string_view text) {
  return boost::asio::const_buffer(text.data(), text.size());
}

// A buffer sequence that is cheap to copy, which Asio does often.
struct BufferSpan {
  using value_type = boost::asio::const_buffer;
  using const_iterator = const boost::asio::const_buffer*;
  const_iterator begin() const { return first; }
  const_iterator end() const { return last; }

  // Drops the first `bytes` bytes.
  void skip(std::size_t bytes) {
    while (first != last && bytes >= first->size()) bytes -= first++->size();
    if (first != last) *first += bytes;
  }

  boost::asio::const_buffer* first;
  boost::asio::const_buffer* last;
};

inline constexpr std::size_t kFirstRead = 4096;  // holds most requests

class HttpConnection final : public Connection,
                             public std::enable_shared_from_this<HttpConnection> {
 public:
  HttpConnection(boost::asio::ip::tcp::socket socket, std::shared_ptr<void> place,
                 std::shared_ptr<ConnectionContext> context);
  ~HttpConnection() override;

  // Begins with the handshake, or with what the client sends first.
  void begin();
  void shut_down() override;
  void close() override;

 private:
  using error_code = boost::system::error_code;
  enum class Phase { kReading, kAnswering, kStreaming, kUpgraded, kClosed };

  // Getting to know the client.
  void shake_hands();
  void on_handshake(error_code error);
  void read_first();
  void speak_http2();

  // Reading.
  void read_head();
  void parse_head(std::size_t bytes);
  void read_rest_of_head();
  void on_head(error_code error);
  void send_continue();
  void read_body();
  void read_more_body();
  std::optional<error_code> parse_buffered_body();
  void on_body(error_code error);
  void on_read_error(error_code error, Dropped if_late);
  std::optional<Response> refuse_head();
  Request take_request();

  // Answering.
  void hand_over(Request request);
  void refuse(Response response);
  void respond(Response response);
  void write_buffers();
  BufferSpan as_record(BufferSpan pieces);
  void compress_soon();
  void write_compressed();
  void on_written(error_code error);
  void drop(error_code error, Dropped if_late);
  void finish_exchange();
  void say_goodbye();
  void drain();

  // Streaming.
  void read_unit();
  void write_unit(Rope unit, bool ended);
  void frame_body(bool ended);
  void watch_peer();
  void look_at_peer();
  void read_ahead();
  void limit_read_ahead();
  void on_read_ahead(error_code error, std::size_t bytes);
  void upgrade(Response response);

  const ConnectionLimits& limits() const { return context_->site->settings.limits; }
  void log_exchange();

  std::shared_ptr<ConnectionContext> context_;
  const std::shared_ptr<TlsServer> tls_;  // null: plain
  std::unique_ptr<Wire> wire_;            // null once another connection has it
  std::string remote_;                    // kept: a socket that was reset has lost it
  Peer peer_;
  boost::beast::flat_buffer buffer_;
  std::optional<RequestParser> parser_;
  Phase phase_ = Phase::kReading;
  bool served_ = false;  // it had an answer
  std::chrono::steady_clock::time_point body_until_;

  // The exchange under way.
  std::unique_ptr<LoggedRequest> logged_;  // null if it is not logged
  std::chrono::steady_clock::time_point started_;
  HeadOptions options_;
  Framing framing_ = Framing::kNone;
  int status_ = 0;
  std::size_t bytes_sent_ = 0;
  bool breaks_off_ = false;    // the body ends before its end, and the connection with it
  bool input_unread_ = false;  // a part of the request was not read
  std::string websocket_key_;

  // The bytes being written; unchanged until the write is done.
  std::string head_;
  Rope body_;
  std::vector<boost::asio::const_buffer> buffers_;
  std::string record_;  // the same in one piece, for TLS

  std::shared_ptr<StreamReader> reader_;
  std::unique_ptr<GzipBody> gzip_;                  // non-null if the body is compressed
  std::shared_ptr<WebSocketConnection> websocket_;  // owns the socket once non-null
  bool watching_peer_ = false;
  bool reads_next_ = false;  // the next request is read once watching_peer_ is false
  std::optional<boost::asio::steady_timer> wait_;  // for it, then
  bool writing_ = false;
  bool compressing_ = false;  // compress_soon() was posted
};

}  // namespace tabernetes::host
