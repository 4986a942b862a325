#include "server/spdy/connection.h"

namespace tabernetes::server {
namespace {

constexpr std::size_t kMostStreams = 1000;

}  // namespace

std::string_view spdy_header(const SpdyHeaders& headers, std::string_view name) {
  for (const auto& [key, value] : headers) {
    if (key == name) return value;
  }
  return {};
}

void SpdyConnection::receive(std::string_view bytes) {
  if (closed_) return;
  reader_.add(bytes);
  while (!closed_) {
    const std::optional<SpdyFrame> frame = reader_.next();
    if (!frame) break;
    handle(*frame);
  }
  if (reader_.broken()) close();
}

void SpdyConnection::handle(const SpdyFrame& frame) {
  using Type = SpdyFrame::Type;
  if (frame.type == Type::kSynStream) return open(frame);
  if (frame.type == Type::kPing) {
    // The client's have odd numbers; others answer ours, which there are none of.
    if (frame.stream % 2 == 1) writer_.ping(frame.stream);
    return;
  }
  if (frame.type == Type::kGoAway) {
    closed_ = true;
    return;
  }
  const auto found = streams_.find(frame.stream);
  if (found == streams_.end()) return;
  if (frame.type == Type::kReset) {
    streams_.erase(found);
    return handler_.on_reset(frame.stream);
  }
  if (frame.type != Type::kData || found->second.client_ended) return;
  if (!frame.bytes.empty()) handler_.on_data(frame.stream, frame.bytes);
  if (!frame.last) return;
  const auto still = streams_.find(frame.stream);
  if (still == streams_.end()) return;
  still->second.client_ended = true;
  handler_.on_end(frame.stream);
  forget_if_ended(frame.stream);
}

void SpdyConnection::open(const SpdyFrame& frame) {
  if (frame.stream % 2 == 0 || frame.stream <= last_) return close();
  last_ = frame.stream;
  if (streams_.size() >= kMostStreams) return writer_.reset(frame.stream);
  streams_[frame.stream] = {.client_ended = frame.last};
  writer_.reply(frame.stream);
  handler_.on_stream(frame.stream, frame.headers);
  if (frame.last) handler_.on_end(frame.stream);
}

void SpdyConnection::send(std::uint32_t stream, std::string_view bytes) {
  const auto found = streams_.find(stream);
  if (bytes.empty() || found == streams_.end() || found->second.server_ended) return;
  writer_.data(stream, bytes, false);
}

void SpdyConnection::end(std::uint32_t stream) {
  const auto found = streams_.find(stream);
  if (found == streams_.end() || found->second.server_ended) return;
  found->second.server_ended = true;
  writer_.data(stream, {}, true);
  forget_if_ended(stream);
}

void SpdyConnection::reset(std::uint32_t stream) {
  if (streams_.erase(stream) > 0) writer_.reset(stream);
}

void SpdyConnection::forget_if_ended(std::uint32_t stream) {
  const auto found = streams_.find(stream);
  if (found != streams_.end() && found->second.client_ended && found->second.server_ended) {
    streams_.erase(found);
  }
}

void SpdyConnection::close() {
  if (closed_) return;
  writer_.go_away(last_);
  streams_.clear();
  closed_ = true;
}

}  // namespace tabernetes::server
