#include "server/spdy/frames.h"

#include <algorithm>

namespace tabernetes::server {
namespace {

constexpr std::size_t kHead = 8;
constexpr std::size_t kMostFrame = std::size_t{1} << 20;
constexpr std::size_t kMostHeaders = std::size_t{64} << 10;
constexpr std::size_t kPiece = std::size_t{64} << 10;  // of data

constexpr std::uint32_t kControl = 0x80000000;
constexpr std::uint32_t kVersion3 = 3;
enum ControlType : std::uint32_t { kSyn = 1, kSynAnswer = 2, kRst = 3, kPinged = 6, kGone = 7 };

constexpr unsigned char kFin = 1;

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = at; i < at + 4; ++i) {
    number = number << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return number;
}

void put_number(std::string& out, std::uint32_t number) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(number >> shift & 0xff);
}

void put_head(std::string& out, ControlType type, std::size_t size) {
  put_number(out, kControl | kVersion3 << 16 | type);
  put_number(out, static_cast<std::uint32_t>(size));
}

// Takes a text after its length.
std::optional<std::string> take_text(std::string_view& block) {
  if (block.size() < 4) return std::nullopt;
  const std::uint32_t size = number_at(block, 0);
  block.remove_prefix(4);
  if (size > block.size()) return std::nullopt;
  std::string text(block.substr(0, size));
  block.remove_prefix(size);
  return text;
}

std::optional<SpdyHeaders> headers_in(std::string_view block) {
  SpdyHeaders headers;
  if (block.size() < 4) return std::nullopt;
  const std::uint32_t count = number_at(block, 0);
  block.remove_prefix(4);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto name = take_text(block);
    const auto value = name ? take_text(block) : std::nullopt;
    if (!value) return std::nullopt;
    headers.emplace_back(*name, *value);
  }
  return headers;
}

}  // namespace

void SpdyReader::add(std::string_view bytes) {
  if (broken_) return;
  buffer_.erase(0, std::exchange(read_, 0));
  buffer_ += bytes;
}

std::optional<SpdyFrame> SpdyReader::next() {
  const std::string_view left = std::string_view(buffer_).substr(read_);
  if (broken_ || left.size() < kHead) return std::nullopt;
  const std::uint32_t head = number_at(left, 0), tail = number_at(left, 4);
  const std::size_t size = tail & 0xffffff;
  if (size > kMostFrame) {
    broken_ = true;
    return std::nullopt;
  }
  if (left.size() < kHead + size) return std::nullopt;
  read_ += kHead + size;
  const std::string_view body = left.substr(kHead, size);
  const bool last = (tail >> 24 & kFin) != 0;
  if ((head & kControl) == 0) {
    return SpdyFrame{.type = SpdyFrame::Type::kData,
                     .stream = head,
                     .last = last,
                     .headers = {},
                     .bytes = std::string(body)};
  }
  std::optional<SpdyFrame> frame = control_frame(head, last, body);
  broken_ = !frame.has_value();
  return frame;
}

std::optional<SpdyFrame> SpdyReader::control_frame(std::uint32_t head, bool last,
                                                   std::string_view body) {
  SpdyFrame frame{.last = last, .headers = {}, .bytes = {}};
  const std::uint32_t type = head & 0xffff;
  if ((head >> 16 & 0x7fff) != kVersion3) return std::nullopt;
  if (type == kSyn) {
    constexpr std::size_t kFixed = 10;  // stream, associated stream, priority, slot
    if (body.size() < kFixed) return std::nullopt;
    frame.type = SpdyFrame::Type::kSynStream;
    frame.stream = number_at(body, 0) & ~kControl;
    const auto block = inflater_.expand(body.substr(kFixed), kMostHeaders);
    auto headers = block ? headers_in(*block) : std::nullopt;
    if (!headers) return std::nullopt;
    frame.headers = std::move(*headers);
  } else if (type == kRst || type == kPinged) {
    if (body.size() < 4) return std::nullopt;
    frame.type = type == kRst ? SpdyFrame::Type::kReset : SpdyFrame::Type::kPing;
    frame.stream = number_at(body, 0) & ~(type == kRst ? kControl : 0);
  } else if (type == kGone) {
    frame.type = SpdyFrame::Type::kGoAway;
  } else if (type == kSynAnswer || type == 8) {
    // What compresses headers must follow the connection, even if nobody reads them.
    if (body.size() < 4 || !inflater_.expand(body.substr(4), kMostHeaders)) return std::nullopt;
  }
  return frame;
}

void SpdyWriter::reply(std::uint32_t stream) {
  const std::string none(4, '\0');
  const std::string block = deflate_stored(none, std::exchange(first_headers_, false));
  put_head(out_, kSynAnswer, 4 + block.size());
  put_number(out_, stream);
  out_ += block;
}

void SpdyWriter::data(std::uint32_t stream, std::string_view bytes, bool last) {
  do {
    const std::string_view part = bytes.substr(0, kPiece);
    bytes.remove_prefix(part.size());
    const std::uint32_t flags = last && bytes.empty() ? kFin : 0;
    put_number(out_, stream);
    put_number(out_, flags << 24 | static_cast<std::uint32_t>(part.size()));
    out_ += part;
  } while (!bytes.empty());
}

void SpdyWriter::reset(std::uint32_t stream) {
  constexpr std::uint32_t kCancel = 5;
  put_head(out_, kRst, 8);
  put_number(out_, stream);
  put_number(out_, kCancel);
}

void SpdyWriter::ping(std::uint32_t number) {
  put_head(out_, kPinged, 4);
  put_number(out_, number);
}

void SpdyWriter::go_away(std::uint32_t last_stream) {
  put_head(out_, kGone, 8);
  put_number(out_, last_stream);
  put_number(out_, 0);
}

}  // namespace tabernetes::server
