#include "http2_pipe.h"

#include <algorithm>
#include <cstring>

namespace tabernetes::host {

namespace asio = boost::asio;

void Http2Pipe::receive(std::string_view bytes) {
  if (closed_) return;
  in_.append(bytes);
  fill();
}

void Http2Pipe::end_input() {
  input_ended_ = true;
  fill();
}

void Http2Pipe::read(asio::mutable_buffer to, OnBytes done) {
  to_ = to;
  on_read_ = std::move(done);
  fill();
}

// Ends the read under way if it can.
void Http2Pipe::fill() {
  if (!on_read_) return;
  if (closed_) return finish(on_read_, asio::error::operation_aborted, 0);
  const std::size_t size = std::min(in_.size(), to_.size());
  if (size == 0 && to_.size() > 0) {
    if (input_ended_) finish(on_read_, asio::error::eof, 0);
    return;
  }
  std::memcpy(to_.data(), in_.data(), size);
  in_.erase(0, size);
  finish(on_read_, {}, size);
}

void Http2Pipe::write(std::string bytes, OnBytes done) {
  on_written_ = std::move(done);
  writing_ = bytes.size();
  if (closed_) return finish(on_written_, asio::error::operation_aborted, 0);
  out_ = std::move(bytes);
  if (!opened_) {
    constexpr std::string_view kEnd = "\r\n\r\n";
    opening_ += out_;
    const std::size_t end = opening_.find(kEnd);
    opened_ = end != std::string::npos;
    out_ = opened_ ? opening_.substr(end + kEnd.size()) : std::string();
    if (opened_) opening_ = std::string();
  }
  if (out_.empty()) return finish(on_written_, {}, writing_);
  on_more_();
}

std::size_t Http2Pipe::take(std::uint8_t* to, std::size_t size) {
  const std::size_t taken = std::min(size, out_.size());
  if (taken == 0) return 0;
  std::memcpy(to, out_.data(), taken);
  out_.erase(0, taken);
  if (out_.empty()) finish(on_written_, {}, writing_);
  return taken;
}

void Http2Pipe::close() {
  if (std::exchange(closed_, true)) return;
  out_.clear();
  finish(on_read_, asio::error::operation_aborted, 0);
  finish(on_written_, asio::error::operation_aborted, 0);
  on_more_();
}

// Calls a handler later, as Asio's streams do.
void Http2Pipe::finish(OnBytes& done, error_code error, std::size_t bytes) {
  if (!done) return;
  asio::post(executor_,
             [done = std::exchange(done, nullptr), error, bytes] { done(error, bytes); });
}

}  // namespace tabernetes::host
