// A session in a simulated container over SPDY: a stream for each of errors, input, outputs, sizes.
#pragma once

#include <memory>
#include <optional>

#include "server/channels/exec_session.h"
#include "server/spdy/connection.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

class SpdyExecStream final : public Stream, private SpdyConnection::Handler {
 public:
  // `whole_status`: the last word is a Status; before v4 it was a text.
  SpdyExecStream(std::shared_ptr<ExecSession> session, const ExecWish& wish, bool whole_status)
      : session_(std::move(session)),
        whole_status_(whole_status),
        wants_out_(wish.out),
        wants_err_(wish.err) {}

  Rope next() override;
  bool ended() const override;
  void on_ready(std::function<void()> wake) override;
  void receive(std::string_view bytes) override;

 private:
  void on_stream(std::uint32_t stream, const SpdyHeaders& headers) override;
  void on_data(std::uint32_t stream, std::string_view bytes) override;
  void on_end(std::uint32_t stream) override;
  void on_reset(std::uint32_t stream) override;

  bool is_open() const;
  void pass_on();

  std::shared_ptr<ExecSession> session_;
  bool whole_status_, wants_out_, wants_err_;
  SpdyConnection connection_{*this};
  std::optional<std::uint32_t> status_, in_, out_, err_;
  std::function<void()> wake_;
};

}  // namespace tabernetes::server
