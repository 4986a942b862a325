// The server's end of a SPDY connection: streams that the client opens.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "server/spdy/frames.h"

namespace tabernetes::server {

class SpdyConnection {
 public:
  // Learns what the client does.
  class Handler {
   public:
    // `headers`: names in lower case.
    virtual void on_stream(std::uint32_t stream, const SpdyHeaders& headers) = 0;
    virtual void on_data(std::uint32_t stream, std::string_view bytes) = 0;
    virtual void on_end(std::uint32_t stream) = 0;    // it sends no more
    virtual void on_reset(std::uint32_t stream) = 0;  // the stream is no more

   protected:
    ~Handler() = default;
  };

  explicit SpdyConnection(Handler& handler) : handler_(handler) {}

  void receive(std::string_view bytes);
  void send(std::uint32_t stream, std::string_view bytes);
  void end(std::uint32_t stream);
  void reset(std::uint32_t stream);
  // Ends all streams and the connection.
  void close();

  std::string take() { return writer_.take(); }
  bool has_bytes() const { return !writer_.empty(); }
  bool closed() const { return closed_; }

 private:
  struct Sides {
    bool client_ended = false, server_ended = false;
  };
  void handle(const SpdyFrame& frame);
  void open(const SpdyFrame& frame);
  void forget_if_ended(std::uint32_t stream);

  Handler& handler_;
  SpdyReader reader_;
  SpdyWriter writer_;
  std::map<std::uint32_t, Sides> streams_;
  std::uint32_t last_ = 0;
  bool closed_ = false;
};

// Returns the value of a header; empty if there is none.
std::string_view spdy_header(const SpdyHeaders& headers, std::string_view name);

}  // namespace tabernetes::server
