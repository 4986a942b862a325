// Parses an HTTP/1.x request into the core's Request.
#pragma once

#include <algorithm>
#include <boost/beast/http/basic_parser.hpp>
#include <cstdint>
#include <string>

#include "lower_case.h"
#include "tabernetes/http.h"

namespace tabernetes::host {

// Bytes of a body that are read, though the core accepts fewer and the rest is dropped: a client
// that writes its whole body before it reads the answer gets the answer. Beyond it reading ends
// with error::body_limit.
inline constexpr std::uint64_t kBodyRead = 64 * 1024 * 1024;

// Limit of the whole head, as Go's DefaultMaxHeaderBytes.
inline constexpr std::uint32_t kHeadLimit = 1024 * 1024;

class RequestParser : public boost::beast::http::basic_parser<true> {
  using error_code = boost::beast::error_code;
  using string_view = boost::beast::string_view;

 public:
  RequestParser() {
    header_limit(kHeadLimit);
    body_limit(boost::none);  // take_body limits the body itself
  }

  // Returns the request as read so far, complete once is_done(). Its body is cut after the core's
  // limit.
  Request& request() { return request_; }

  bool http_1_0() const { return version_ < 11; }

 private:
  void on_request_impl(boost::beast::http::verb, string_view method, string_view target,
                       int version, error_code& error) override {
    request_.method = std::string(method);
    request_.target = std::string(target);
    version_ = version;
    error = {};
  }

  void on_response_impl(int, string_view, int, error_code& error) override { error = {}; }

  void on_field_impl(boost::beast::http::field, string_view name, string_view value,
                     error_code& error) override {
    error = {};
    if (head_done_) return;  // a trailer of a chunked body
    request_.headers.emplace_back(lower_case({name.data(), name.size()}), value);
  }

  void on_header_impl(error_code& error) override {
    head_done_ = true;
    error = {};
  }

  void on_body_init_impl(const boost::optional<std::uint64_t>& length, error_code& error) override {
    // A declared length costs the peer nothing, so it reserves little memory.
    if (length) request_.body.reserve(std::min<std::uint64_t>(*length, 65536));
    error = {};
  }

  std::size_t on_body_impl(string_view part, error_code& error) override {
    return take_body(part, error);
  }

  void on_chunk_header_impl(std::uint64_t, string_view, error_code& error) override { error = {}; }

  std::size_t on_chunk_body_impl(std::uint64_t, string_view part, error_code& error) override {
    return take_body(part, error);
  }

  void on_finish_impl(error_code& error) override { error = {}; }

  std::size_t take_body(string_view part, error_code& error) {
    // One byte more, so that the core itself sees that a body is too large.
    const std::size_t limit = max_body_bytes(request_.target);
    request_.body.append(part.data(), std::min(part.size(), limit + 1 - request_.body.size()));
    body_read_ += part.size();
    error = {};
    if (body_read_ > std::max<std::uint64_t>(limit, kBodyRead))
      error = boost::beast::http::error::body_limit;
    return part.size();
  }

  Request request_;
  int version_ = 11;
  bool head_done_ = false;
  std::uint64_t body_read_ = 0;
};

}  // namespace tabernetes::host
