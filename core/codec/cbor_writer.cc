// An explicit stack instead of recursion. Where a type holds neither bytes nor floats, in itself or
// below, nobody looks at its fields. Tested by tests/core/codec/cbor_test.cc,
// tests/fuzz/cbor_fuzz.cc.
#include "codec/cbor_writer.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "base/base64.h"
#include "base/sort.h"
#include "codec/cbor_wire.h"
#include "schema/decode.h"

namespace tabernetes::codec {
namespace {

using cbor::Major;
using json::Member;
using json::Value;
using schema::FieldType;
using schema::Type;
using schema::TypeRef;

void write_head(Major major, std::uint64_t value, std::string& out) {
  const auto first = static_cast<unsigned>(major) << 5;
  if (value < 24) {
    out += static_cast<char>(first | value);
    return;
  }
  const unsigned power = value <= 0xff ? 0 : value <= 0xffff ? 1 : value <= 0xffffffff ? 2 : 3;
  char bytes[9] = {static_cast<char>(first | (24 + power))};
  const unsigned size = 1U << power;
  for (unsigned i = 0; i < size; ++i) {
    bytes[1 + i] = static_cast<char>(value >> 8 * (size - 1 - i) & 255);
  }
  out.append(bytes, 1 + size);
}

void write_bytes(std::string_view bytes, std::string& out) {
  write_head(Major::kBytes, bytes.size(), out);
  out += bytes;
}

void write_float_bits(std::uint8_t info, std::uint64_t bits, std::string& out) {
  out += static_cast<char>(0xe0 | info);
  const unsigned size = 1U << (info - 24);
  for (unsigned i = 0; i < size; ++i) {
    out += static_cast<char>(bits >> 8 * (size - 1 - i) & 255);
  }
}

// The bits of a float of 16 that is `value`; false if there is none.
bool half_bits(float value, std::uint64_t& bits) {
  std::uint32_t single = 0;
  std::memcpy(&single, &value, sizeof single);
  const std::uint64_t sign = single >> 16 & 0x8000;
  const int exponent = static_cast<int>(single >> 23 & 255) - 127;
  const std::uint32_t fraction = single & 0x7fffff;
  if (exponent >= -14 && exponent <= 15) {
    bits = sign | static_cast<std::uint64_t>(exponent + 15) << 10 | fraction >> 13;
  } else {  // zero, or one of the small numbers without a leading one
    const float scaled = std::ldexp(std::abs(value), 24);
    if (scaled >= 1024 || scaled != std::floor(scaled)) return false;
    bits = sign | static_cast<std::uint64_t>(scaled);
  }
  return cbor::float_of(cbor::kHalf, bits) == static_cast<double>(value);
}

void write_float(double value, std::string& out) {
  if (!std::isfinite(value)) {  // decoders refuse it; what was let through free-form is none
    out += static_cast<char>(0xe0 | cbor::kNull);
    return;
  }
  std::uint64_t bits = 0;
  const bool small = std::abs(value) <= std::numeric_limits<float>::max();
  const float single = small ? static_cast<float>(value) : 0;
  if (!small || static_cast<double>(single) != value) {
    std::memcpy(&bits, &value, sizeof bits);
    return write_float_bits(cbor::kDouble, bits, out);
  }
  if (half_bits(single, bits)) return write_float_bits(cbor::kHalf, bits, out);
  std::uint32_t single_bits = 0;
  std::memcpy(&single_bits, &single, sizeof single_bits);
  write_float_bits(cbor::kSingle, single_bits, out);
}

// What the schema says of a value: nothing where it does not matter.
struct Shape {
  const Type* type = nullptr;        // of a struct
  const TypeRef* element = nullptr;  // of a list or map
  FieldType leaf = FieldType::kAny;
};

Shape shape_of(const TypeRef& type) {
  switch (type.type) {
    case FieldType::kRef:
    case FieldType::kSchemaOrBool:
      return {type.ref->holds_bytes_or_floats ? type.ref : nullptr, nullptr, FieldType::kAny};
    case FieldType::kSchemaOrArray:
    case FieldType::kSchemaOrStringArray:
      return {type.ref, nullptr, FieldType::kAny};  // of an array: of its items
    case FieldType::kArray:
    case FieldType::kMap:
      return {nullptr, type.element, FieldType::kAny};
    case FieldType::kBytes:
    case FieldType::kNumber:
      return {nullptr, nullptr, type.type};
    default:
      return {};
  }
}

class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  void write(const Shape& shape, const Value& root) {
    begin(shape, root);
    while (!open_.empty()) {
      Open& open = open_.back();
      if (open.next == open.value.size()) {
        order_.resize(open.first);
        open_.pop_back();
        continue;
      }
      const std::uint32_t i = open.next++;
      if (open.value.is_array()) {
        begin(item_shape(open.shape), open.value.items()[i]);
        continue;
      }
      const Member& member = open.value.members()[order_[open.first + i]];
      write_bytes(member.key, out_);
      begin(member_shape(open.shape, member.key), member.value);
    }
  }

 private:
  struct Open {
    Shape shape;
    Value value;
    std::uint32_t next;
    std::size_t first;  // of the members' numbers in order_
  };

  static Shape item_shape(const Shape& shape) {
    if (shape.type != nullptr) return shape;
    return shape.element == nullptr ? Shape{} : shape_of(*shape.element);
  }

  static Shape member_shape(const Shape& shape, std::string_view key) {
    if (shape.type != nullptr) {
      const schema::Field* field = shape.type->find(key);
      return field == nullptr ? Shape{} : shape_of(field->type);
    }
    return shape.element == nullptr ? Shape{} : shape_of(*shape.element);
  }

  void begin(const Shape& shape, const Value& value) {
    switch (value.type()) {
      case json::Type::kNull:
        out_ += static_cast<char>(0xe0 | cbor::kNull);
        return;
      case json::Type::kBool:
        out_ += static_cast<char>(0xe0 | (value.as_bool() ? cbor::kTrue : cbor::kFalse));
        return;
      case json::Type::kInt:
        return shape.leaf == FieldType::kNumber ? write_float(value.as_double(), out_)
                                                : integer(value.as_int());
      case json::Type::kDouble:
        return write_float(value.as_double(), out_);
      case json::Type::kString:
        return shape.leaf == FieldType::kBytes ? tagged_bytes(value.as_string())
                                               : write_bytes(value.as_string(), out_);
      case json::Type::kArray:
        write_head(Major::kArray, value.size(), out_);
        if (value.size() > 0) open_.push_back({shape, value, 0, order_.size()});
        return;
      case json::Type::kObject:
        write_head(Major::kMap, value.size(), out_);
        if (value.size() > 0) open_map(shape, value);
        return;
    }
  }

  void integer(std::int64_t value) {
    const bool negative = value < 0;
    write_head(negative ? Major::kNegative : Major::kUnsigned,
               static_cast<std::uint64_t>(negative ? ~value : value), out_);
  }

  void tagged_bytes(std::string_view base64) {
    write_head(Major::kTag, cbor::kBase64, out_);
    write_bytes(base64_decode(base64).value_or(std::string()), out_);
  }

  // Notes in which order the members are written: that of their keys' encoding.
  void open_map(const Shape& shape, const Value& value) {
    const std::size_t first = order_.size();
    const auto members = value.members();
    const auto before = [&members](std::uint32_t a, std::uint32_t b) {
      const std::string_view x = members[a].key, y = members[b].key;
      return x.size() != y.size() ? x.size() < y.size() : x < y;
    };
    constexpr std::uint32_t kFew = 24;
    for (std::uint32_t i = 0; i < value.size(); ++i) {
      std::size_t at = order_.size();
      order_.push_back(i);
      for (; value.size() <= kFew && at > first && before(i, order_[at - 1]); --at) {
        order_[at] = order_[at - 1];
      }
      order_[at] = i;
    }
    if (value.size() > kFew) {
      sort_stable(std::span(order_).subspan(first), before);
    }
    open_.push_back({shape, value, 0, first});
  }

  std::string& out_;
  std::vector<Open> open_;
  std::vector<std::uint32_t> order_;
};

}  // namespace

void write_cbor(const schema::Catalogue& catalogue, const Value& object, std::string& out) {
  out += cbor::kSelfDescribedHead;
  write_cbor_value(schema::type_of_object(catalogue, object), object, out);
}

void write_cbor_value(const Type* type, const Value& value, std::string& out) {
  Shape shape;
  if (type != nullptr && type->holds_bytes_or_floats) shape.type = type;
  Writer(out).write(shape, value);
}

void write_cbor_map_head(std::uint64_t entries, std::string& out) {
  write_head(Major::kMap, entries, out);
}

void write_cbor_array_head(std::uint64_t items, std::string& out) {
  write_head(Major::kArray, items, out);
}

void write_cbor_string(std::string_view text, std::string& out) { write_bytes(text, out); }

void write_cbor_watch_event(std::string_view event, std::string_view object, std::string& out) {
  out += cbor::kSelfDescribedHead;
  write_head(Major::kMap, 2, out);
  write_bytes("type", out);
  write_bytes(event, out);
  write_bytes("object", out);
  out += object;
}

}  // namespace tabernetes::codec
