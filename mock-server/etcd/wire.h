// The protobuf wire format, as far as etcd's messages need it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tabernetes::host::etcd {

// Appends the fields of a message.
class MessageWriter {
 public:
  // Appends a number; 0, the default of every field, too.
  MessageWriter& number(int field, std::uint64_t value);
  // Appends bytes or a nested message.
  MessageWriter& bytes(int field, std::string_view value);

  std::string take() { return std::move(out_); }

 private:
  void varint(std::uint64_t value);

  std::string out_;
};

// A field of a message: a number, or bytes.
struct Field {
  int number = 0;
  std::uint64_t value = 0;
  std::string_view bytes;
};

// Reads the fields of a message in turn. Fields of fixed size are skipped.
class MessageReader {
 public:
  explicit MessageReader(std::string_view message) : rest_(message) {}

  // Returns nullopt at the end, and where the message is not well-formed.
  std::optional<Field> next();

 private:
  std::optional<std::uint64_t> varint();

  std::string_view rest_;
};

}  // namespace tabernetes::host::etcd
