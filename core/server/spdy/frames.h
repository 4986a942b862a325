// The frames of SPDY/3.1, as Kubernetes speaks it: streams, data, pings. Flow control is not used
// there. Source: draft-mbelshe-httpbis-spdy-00, moby/spdystream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/spdy/inflater.h"

namespace tabernetes::server {

using SpdyHeaders = std::vector<std::pair<std::string, std::string>>;

struct SpdyFrame {
  enum class Type { kSynStream, kReset, kPing, kGoAway, kData, kOther };
  Type type = Type::kOther;
  std::uint32_t stream = 0;  // of a ping its number
  bool last = false;         // the sender sends no more on the stream
  SpdyHeaders headers;       // of kSynStream
  std::string bytes;         // of kData
};

class SpdyReader {
 public:
  void add(std::string_view bytes);
  // Returns the next whole frame.
  std::optional<SpdyFrame> next();
  // Returns true once something came that is no SPDY; nothing is read any more.
  bool broken() const { return broken_; }

 private:
  std::optional<SpdyFrame> control_frame(std::uint32_t head, bool last, std::string_view body);

  std::string buffer_;
  std::size_t read_ = 0;
  SpdyInflater inflater_;
  bool broken_ = false;
};

class SpdyWriter {
 public:
  void reply(std::uint32_t stream);  // accepts it
  void data(std::uint32_t stream, std::string_view bytes, bool last);
  void reset(std::uint32_t stream);
  void ping(std::uint32_t number);
  void go_away(std::uint32_t last_stream);

  std::string take() { return std::exchange(out_, {}); }
  bool empty() const { return out_.empty(); }

 private:
  std::string out_;
  bool first_headers_ = true;
};

}  // namespace tabernetes::server
