// Internal to codec: the bytes of one protobuf message, taken apart in the order, and refused with
// the texts, of gogo's generated code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tabernetes::codec {

// What stands before a field's value. `wire` may be no wire type that there is.
struct FieldTag {
  std::uint32_t number = 0;
  std::uint8_t wire = 0;
};

// Every method that returns a bool says false when there is an error, which is then in the string
// given at construction; the first error stays.
class WireReader {
 public:
  WireReader(std::string_view message, std::string& error) : bytes_(message), error_(error) {}

  // The tag of the next field; false at the end, too. `message` is named in errors.
  bool next(std::string_view message, FieldTag& tag);

  // The value of the field whose tag was read.
  bool varint(std::uint64_t& value);
  bool fixed64(std::uint64_t& value);
  bool bytes(std::string_view& value);  // with its length before it

  // Over the value of the field whose tag was read, groups with all that is in them.
  bool skip() { return skip_to(bytes_.size()); }

  // A list of varints that is packed into one field: `read` is called before each. Its last one may
  // reach beyond its end, as for gogo.
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

  // An entry of a map: `read(reader)` is called for field 2 and returns a bool. Nobody looks at the
  // wire types of an entry's fields, and only skipped ones have to end where the entry ends.
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
  bool extent(std::size_t& end);  // a length, as the place where it ends
  bool advance(std::uint64_t size);
  bool skip_to(std::size_t end);
  bool skip_value(std::uint8_t wire);

  std::string_view bytes_;
  std::size_t at_ = 0;  // may be beyond the end while something is skipped
  std::size_t tag_begin_ = 0;
  std::string& error_;
};

}  // namespace tabernetes::codec
