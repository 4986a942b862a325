#include "codec/protobuf_wire_reader.h"

#include <limits>

#include "codec/protobuf_wire.h"

namespace tabernetes::codec {
namespace {

constexpr std::string_view kTruncated = "unexpected EOF";
constexpr std::string_view kNegativeLength = "proto: negative length found during unmarshaling";
constexpr std::uint8_t kGroupBegin = 3, kGroupEnd = 4;

}  // namespace

bool WireReader::fail(std::string error) {
  if (error_.empty()) error_ = std::move(error);
  return false;
}

bool WireReader::next(std::string_view message, FieldTag& tag) {
  if (at_ >= bytes_.size() || !error_.empty()) return false;
  tag_begin_ = at_;
  std::uint64_t key = 0;
  if (!varint(key)) return false;
  tag.wire = key & 7;
  const auto number = static_cast<std::int32_t>(key >> 3);
  if (tag.wire == kGroupEnd) {
    return fail("proto: " + std::string(message) + ": wiretype end group for non-group");
  }
  if (number <= 0) {
    return fail("proto: " + std::string(message) + ": illegal tag " + std::to_string(number) +
                " (wire type " + std::to_string(key) + ")");
  }
  tag.number = static_cast<std::uint32_t>(number);
  return true;
}

bool WireReader::varint(std::uint64_t& value) {
  value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (at_ >= bytes_.size()) return fail(std::string(kTruncated));
    const auto byte = static_cast<unsigned char>(bytes_[at_++]);
    value |= std::uint64_t{byte & 127u} << shift;
    if (byte < 128) return true;
  }
  return fail("proto: integer overflow");
}

bool WireReader::fixed64(std::uint64_t& value) {
  if (at_ + 8 > bytes_.size()) return fail(std::string(kTruncated));
  value = 0;
  for (std::size_t i = 8; i > 0; --i) {
    value = value << 8 | static_cast<unsigned char>(bytes_[at_ + i - 1]);
  }
  at_ += 8;
  return true;
}

bool WireReader::bytes(std::string_view& value) {
  std::size_t end = 0;
  if (!extent(end)) return false;
  value = bytes_.substr(at_, end - at_);
  at_ = end;
  return true;
}

bool WireReader::extent(std::size_t& end) {
  std::uint64_t size = 0;
  if (!varint(size)) return false;
  const auto room = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) - at_;
  if (size > room) return fail(std::string(kNegativeLength));
  if (size > bytes_.size() - at_) return fail(std::string(kTruncated));
  end = at_ + static_cast<std::size_t>(size);
  return true;
}

// May move past the end; the caller checks.
bool WireReader::advance(std::uint64_t size) {
  const auto room = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) - at_;
  if (size > room) return fail(std::string(kNegativeLength));
  at_ = size > bytes_.size() - at_ ? bytes_.size() + 1 : at_ + static_cast<std::size_t>(size);
  return true;
}

// Starts again at the tag.
bool WireReader::skip_to(std::size_t end) {
  at_ = tag_begin_;
  std::size_t open = 0;
  do {
    if (at_ >= bytes_.size()) return fail(std::string(kTruncated));
    std::uint64_t tag = 0;
    if (!varint(tag)) return false;
    const std::uint8_t wire = tag & 7;
    if (wire == kGroupBegin) {
      ++open;
    } else if (wire == kGroupEnd) {
      if (open == 0) return fail("proto: unexpected end of group");
      --open;
    } else if (!skip_value(wire)) {
      return false;
    }
  } while (open > 0);
  return at_ <= end || fail(std::string(kTruncated));
}

bool WireReader::skip_value(std::uint8_t wire) {
  std::uint64_t value = 0;
  switch (wire) {
    case static_cast<std::uint8_t>(WireType::kVarint):
      return varint(value);
    case static_cast<std::uint8_t>(WireType::kFixed64):
      return advance(8);
    case static_cast<std::uint8_t>(WireType::kFixed32):
      return advance(4);
    case static_cast<std::uint8_t>(WireType::kBytes):
      return varint(value) && advance(value);
    default:
      return fail("proto: illegal wireType " + std::to_string(wire));
  }
}

}  // namespace tabernetes::codec
