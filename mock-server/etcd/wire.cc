#include "etcd/wire.h"

namespace tabernetes::host::etcd {
namespace {

constexpr std::uint64_t kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5;

std::uint64_t tag(int field, std::uint64_t type) {
  return static_cast<std::uint64_t>(field) << 3 | type;
}

}  // namespace

void MessageWriter::varint(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out_ += static_cast<char>(value | 0x80);
  out_ += static_cast<char>(value);
}

MessageWriter& MessageWriter::number(int field, std::uint64_t value) {
  varint(tag(field, kVarint));
  varint(value);
  return *this;
}

MessageWriter& MessageWriter::bytes(int field, std::string_view value) {
  varint(tag(field, kBytes));
  varint(value.size());
  out_ += value;
  return *this;
}

std::optional<std::uint64_t> MessageReader::varint() {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < rest_.size() && i < 10; ++i) {
    const auto byte = static_cast<unsigned char>(rest_[i]);
    value |= std::uint64_t{byte & 0x7fu} << (7 * i);
    if (byte >= 0x80) continue;
    rest_.remove_prefix(i + 1);
    return value;
  }
  return std::nullopt;
}

std::optional<Field> MessageReader::next() {
  while (!rest_.empty()) {
    const auto head = varint();
    if (!head) return std::nullopt;
    const std::uint64_t type = *head & 7;
    if (type == kFixed64 || type == kFixed32) {
      const std::size_t size = type == kFixed64 ? 8 : 4;
      if (rest_.size() < size) return std::nullopt;
      rest_.remove_prefix(size);
      continue;
    }
    const auto value = varint();
    if (!value || (type != kVarint && type != kBytes)) return std::nullopt;
    Field field{.number = static_cast<int>(*head >> 3), .value = *value, .bytes = {}};
    if (type == kBytes) {
      if (*value > rest_.size()) return std::nullopt;
      field.bytes = rest_.substr(0, *value);
      rest_.remove_prefix(*value);
    }
    return field;
  }
  return std::nullopt;
}

}  // namespace tabernetes::host::etcd
