// Uses an explicit stack instead of recursion. Skips the schema below types that contain neither
// bytes nor floats. Tested by tests/core/codec/cbor_test.cc, tests/fuzz/cbor_fuzz.cc.
#include "codec/cbor_writer.h"

#include <cmath>
#include <span>
#include <vector>

#include "base/algorithm/sort.h"
#include "base/text/base64.h"
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

using cbor::write_head;

void write_bytes(std::string_view bytes, std::string& out) {
  write_head(Major::kBytes, bytes.size(), out);
  out += bytes;
}

void write_number(double value, std::string& out) {
  // Decoders reject infinities; one in a free-form value becomes null.
  if (!std::isfinite(value)) return cbor::write_null(out);
  cbor::write_float(value, out);
}

// The schema of a value; empty where it makes no difference.
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
      return {type.ref, nullptr, FieldType::kAny};  // if an array: of its items
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

class CborItemWriter {
 public:
  explicit CborItemWriter(std::string& out) : out_(out) {}

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
    std::size_t first;  // index in order_ of its first member
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
        return cbor::write_null(out_);
      case json::Type::kBool:
        return cbor::write_boolean(value.as_bool(), out_);
      case json::Type::kInt:
        return shape.leaf == FieldType::kNumber ? write_number(value.as_double(), out_)
                                                : integer(value.as_int());
      case json::Type::kDouble:
        return write_number(value.as_double(), out_);
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

  // Determines the order of the members: that of their encoded keys.
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
  CborItemWriter(out).write(shape, value);
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
