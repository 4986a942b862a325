// Reads requests with Beast's HTTP parser.
#include <algorithm>
#include <boost/asio/write.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/http/read.hpp>
#include <chrono>
#include <utility>

#include "http_exchange.h"
#include "request_gate.h"
#include "target.h"

namespace tabernetes::host {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using boost::system::error_code;

namespace {

constexpr std::size_t kBodyReads = 64 * 1024;

bool is_http_error(const error_code& error) {
  return error.category() == http::make_error_code(http::error::end_of_stream).category();
}

}  // namespace

// Waits for the next request, which may have arrived already.
void HttpConnection::read_head() {
  phase_ = Phase::kReading;
  if (context_->stopping) return close();
  parser_.emplace();
  buffer_.reserve(kFirstRead);
  if (buffer_.size() > 0) return read_rest_of_head();
  const Dropped if_late = served_ ? Dropped::kIdle : Dropped::kHead;
  wire_->expires_after(served_ ? limits().idle : limits().head);
  wire_->async_read_some(buffer_.prepare(kFirstRead),
                         [self = shared_from_this(), if_late](error_code error, std::size_t bytes) {
                           if (self->phase_ == Phase::kClosed) return;
                           if (error) return self->drop(error, if_late);
                           self->parse_head(bytes);
                         });
}

// Parses the first bytes of a request, often all of it.
void HttpConnection::parse_head(std::size_t bytes) {
  buffer_.commit(bytes);
  while (buffer_.size() > 0 && !parser_->is_header_done()) {
    error_code error;
    buffer_.consume(parser_->put(buffer_.data(), error));
    if (error == http::error::need_more) break;
    if (error) return on_head(error);
  }
  if (parser_->is_header_done()) return on_head({});
  read_rest_of_head();
}

void HttpConnection::read_rest_of_head() {
  wire_->expires_after(limits().head);
  http::async_read_header(
      *wire_, buffer_, *parser_,
      [self = shared_from_this()](error_code error, std::size_t) { self->on_head(error); });
}

void HttpConnection::on_head(error_code error) {
  if (phase_ == Phase::kClosed) return;
  if (error) return on_read_error(error, Dropped::kHead);
  started_ = std::chrono::steady_clock::now();
  const Request& request = parser_->request();
  options_ = HeadOptions{.http_1_0 = parser_->http_1_0(),
                         .head_request = request.method == "HEAD",
                         .keep_alive = parser_->keep_alive(),
                         .date = {}};
  logged_ = logged_request(request, remote_, context_->site->settings.log);
  if (auto refusal = refuse_head()) return refuse(std::move(*refusal));
  if (parser_->is_done()) return hand_over(take_request());
  const bool asks_first = beast::iequals(find_header(request.headers, "expect"), "100-continue");
  if (asks_first && !options_.http_1_0 && buffer_.size() == 0) return send_continue();
  read_body();
}

void HttpConnection::send_continue() {
  wire_->expires_after(limits().write);
  asio::async_write(*wire_, to_buffer("HTTP/1.1 100 Continue\r\n\r\n"),
                    [self = shared_from_this()](error_code error, std::size_t) {
                      if (error) return self->drop(error, Dropped::kWrite);
                      self->read_body();
                    });
}

void HttpConnection::read_body() {
  if (const auto complete = parse_buffered_body()) return on_body(*complete);
  body_until_ = std::chrono::steady_clock::now() + limits().whole_body;
  buffer_.reserve(kBodyReads);
  read_more_body();
}

// A body has to go on, and to come to its end.
void HttpConnection::read_more_body() {
  const auto left = body_until_ - std::chrono::steady_clock::now();
  wire_->expires_after(std::min<std::chrono::steady_clock::duration>(left, limits().body));
  http::async_read_some(
      *wire_, buffer_, *parser_, [self = shared_from_this()](error_code error, std::size_t) {
        const bool goes_on = !error && !self->parser_->is_done() && self->phase_ != Phase::kClosed;
        goes_on ? self->read_more_body() : self->on_body(error);
      });
}

// Parses the part of the body that arrived with the head, often all of it. Returns the result of
// reading, or nullopt if more must be read.
std::optional<error_code> HttpConnection::parse_buffered_body() {
  parser_->eager(true);
  for (std::size_t used = 1; used > 0 && buffer_.size() > 0 && !parser_->is_done();) {
    error_code error;
    used = parser_->put(buffer_.data(), error);
    buffer_.consume(used);
    if (error && error != http::error::need_more) return error;
  }
  if (!parser_->is_done()) return std::nullopt;
  return error_code();
}

void HttpConnection::on_body(error_code error) {
  if (phase_ == Phase::kClosed) return;
  if (error == http::error::body_limit) {
    // The core answers that the body is too large; the rest is not read.
    options_.keep_alive = false;
    input_unread_ = true;
  } else if (error) {
    return on_read_error(error, Dropped::kBody);
  }
  hand_over(take_request());
}

// A peer that left is dropped at any point. A peer that does not speak HTTP gets an error.
void HttpConnection::on_read_error(error_code error, Dropped if_late) {
  const bool left = error == http::error::end_of_stream || error == http::error::partial_message ||
                    !is_http_error(error);
  if (left) return drop(error, if_late);
  options_ = HeadOptions();
  if (error == http::error::header_limit) {
    return refuse(text_answer(431, "431 Request Header Fields Too Large"));
  }
  refuse(text_answer(400, "400 Bad Request"));
}

// Returns the answer to a request that is refused before its body is read, or nullopt if it is
// accepted.
std::optional<Response> HttpConnection::refuse_head() {
  const Request& request = parser_->request();
  const auto hosts = std::count_if(request.headers.begin(), request.headers.end(),
                                   [](const auto& header) { return header.first == "host"; });
  if (hosts > 1) return text_answer(400, "400 Bad Request: too many Host headers");
  if (hosts == 0 && !options_.http_1_0) {
    return text_answer(400, "400 Bad Request: missing required Host header");
  }
  const std::string_view absolute = split_absolute_form(request.target).authority;
  const std::string_view authority =
      absolute.empty() ? find_header(request.headers, "host") : absolute;
  return refuse_request(request, peer_, authority, context_->site->settings);
}

Request HttpConnection::take_request() {
  Request request = std::move(parser_->request());
  parser_.reset();
  const AbsoluteForm form = split_absolute_form(request.target);
  if (!form.authority.empty()) request.target = std::string(form.target);
  request.peer = peer_;
  websocket_key_ = find_header(request.headers, "sec-websocket-key");
  return request;
}

}  // namespace tabernetes::host
