// Internal to codec: reads the fields of one protobuf message in the way, and with the error
// messages, of gogo's generated code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tabernetes::codec {

// The tag of a field. `wire` may be an invalid wire type.
struct FieldTag {
  std::uint32_t number = 0;
  std::uint8_t wire = 0;
};

// Methods that return a bool return false after an error, which is stored in the string given at
// construction; the first error is kept.
class WireReader {
 public:
  WireReader(std::string_view message, std::string& error) : bytes_(message), error_(error) {}

  // Reads the tag of the next field; returns false at the end, too. Errors name `message`.
  bool next(std::string_view message, FieldTag& tag);

  // Read the value of the field whose tag was read.
  bool varint(std::uint64_t& value);
  bool fixed64(std::uint64_t& value);
  bool bytes(std::string_view& value);  // length-delimited

  // Skips the value of the field whose tag was read, including whole groups.
  bool skip() { return skip_to(bytes_.size()); }

  // Returns the field whose tag was read, with its value. REQUIRES: that was read or skipped.
  std::string_view field() const { return bytes_.substr(tag_begin_, at_ - tag_begin_); }

  // Reads a packed list of varints and calls `each` with every one. As for gogo, the last may
  // extend beyond the list's end.
  template <typename Each>
  bool packed(Each each) {
    std::size_t end = 0;
    if (!extent(end)) return false;
    while (at_ < end) {
      std::uint64_t value = 0;
      if (!varint(value)) return false;
      each(value);
    }
    return true;
  }

  // Reads a map entry; calls `read(reader)`, which returns a bool, for field 2. As for gogo, wire
  // types are not checked, and only skipped fields must end within the entry.
  template <typename ReadValue>
  bool entry(std::string_view& key, ReadValue read) {
    std::size_t end = 0;
    if (!extent(end)) return false;
    while (at_ < end) {
      std::uint64_t tag = 0;
      tag_begin_ = at_;
      if (!varint(tag)) return false;
      const auto number = static_cast<std::int32_t>(tag >> 3);
      const bool ok = number == 1 ? bytes(key) : number == 2 ? read(*this) : skip_to(end);
      if (!ok) return false;
    }
    at_ = end;
    return true;
  }

 private:
  bool fail(std::string error);
  bool extent(std::size_t& end);  // reads a length and returns the position where it ends
  bool advance(std::uint64_t size);
  bool skip_to(std::size_t end);
  bool skip_value(std::uint8_t wire);

  std::string_view bytes_;
  std::size_t at_ = 0;  // may be beyond the end while skipping
  std::size_t tag_begin_ = 0;
  std::string& error_;
};

}  // namespace tabernetes::codec
