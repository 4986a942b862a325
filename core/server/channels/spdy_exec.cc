#include "server/channels/spdy_exec.h"

#include <utility>

#include "codec/json_reader.h"
#include "json/access.h"

namespace tabernetes::server {
namespace {

// Returns what the error stream said before there were Statuses in it: nothing after a success.
std::string status_message(const std::string& status) {
  json::Arena arena;
  const codec::JsonRead read = codec::read_json(status, arena);
  if (!read.ok() || read.value.string_at("status") == "Success") return {};
  return std::string(read.value.string_at("message"));
}

}  // namespace

SpdyExecStream::SpdyExecStream(std::shared_ptr<ExecSession> session, const ExecWish& wish,
                               std::string_view protocol)
    : session_(std::move(session)),
      whole_status_(protocol.starts_with("v4.")),
      wants_in_(wish.in),
      wants_out_(wish.out),
      wants_err_(wish.err),
      wants_sizes_(wish.tty && (whole_status_ || protocol.starts_with("v3."))) {}

// What the container says waits until the client has opened every stream that it asked for, as a
// kubelet does: a client whose connection ends before that reports that a stream could not be
// opened, though the command has ended well.
bool SpdyExecStream::is_open() const {
  return status_ && (!wants_in_ || in_) && (!wants_out_ || out_) && (!wants_err_ || err_) &&
         (!wants_sizes_ || sizes_);
}

Rope SpdyExecStream::next() {
  pass_on();
  Rope ready;
  if (connection_.has_bytes()) ready.append(connection_.take());
  return ready;
}

bool SpdyExecStream::ended() const { return connection_.closed() && !connection_.has_bytes(); }

void SpdyExecStream::on_ready(std::function<void()> wake) {
  wake_ = std::move(wake);
  session_->on_ready([this] {
    if (const auto once = std::exchange(wake_, nullptr)) once();
  });
}

void SpdyExecStream::receive(std::string_view bytes) {
  connection_.receive(bytes);
  pass_on();
  if (!connection_.has_bytes() && !connection_.closed()) return;
  if (const auto once = std::exchange(wake_, nullptr)) once();
}

void SpdyExecStream::pass_on() {
  using Piece = ExecSession::Channel;
  if (!is_open()) return;
  while (const auto piece = session_->take()) {
    if (piece->channel == Piece::kOut && out_) connection_.send(*out_, piece->bytes);
    if (piece->channel == Piece::kErr && err_) connection_.send(*err_, piece->bytes);
    if (piece->channel == Piece::kStatus) {
      connection_.send(*status_, whole_status_ ? piece->bytes : status_message(piece->bytes));
    }
  }
  if (!session_->ended() || connection_.closed()) return;
  for (const auto& stream : {out_, err_, in_, sizes_, status_}) {
    if (stream) connection_.end(*stream);
  }
  connection_.close();
}

void SpdyExecStream::on_stream(std::uint32_t stream, const SpdyHeaders& headers) {
  const std::string_view type = spdy_header(headers, "streamtype");
  if (type == "error") status_ = stream;
  if (type == "stdin") in_ = stream;
  if (type == "stdout") out_ = stream;
  if (type == "stderr") err_ = stream;
  if (type == "resize") sizes_ = stream;
}

void SpdyExecStream::on_data(std::uint32_t stream, std::string_view bytes) {
  if (stream == in_) session_->type(bytes);
}

void SpdyExecStream::on_end(std::uint32_t stream) {
  if (stream == in_) session_->end_input();
}

void SpdyExecStream::on_reset(std::uint32_t stream) {
  if (stream == in_) session_->end_input();
}

}  // namespace tabernetes::server
