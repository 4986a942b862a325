// A session in a simulated container over SPDY: a stream for each of errors, input, outputs, sizes.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "server/channels/exec_session.h"
#include "server/spdy/connection.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

class SpdyExecStream final : public Stream, private SpdyConnection::Handler {
 public:
  // `protocol`: its version says which streams the client opens. v3 and later have one for the
  // sizes of a terminal; in v4 the last word is a Status, before it was a text.
  SpdyExecStream(std::shared_ptr<ExecSession> session, const ExecWish& wish,
                 std::string_view protocol);

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
  bool whole_status_, wants_in_, wants_out_, wants_err_, wants_sizes_;
  SpdyConnection connection_{*this};
  std::optional<std::uint32_t> status_, in_, out_, err_, sizes_;
  std::function<void()> wake_;
};

}  // namespace tabernetes::server
