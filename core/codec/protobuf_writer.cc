#include "codec/protobuf_writer.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/algorithm/sort.h"
#include "base/text/base64.h"
#include "base/time/rfc3339.h"
#include "codec/backward_buffer.h"
#include "codec/json_writer.h"
#include "codec/protobuf_wire.h"
#include "json/access.h"
#include "schema/decode.h"

namespace tabernetes::codec {
namespace {

using json::Value;
using schema::Field;
using schema::FieldType;
using schema::ProtoPresence;
using schema::Type;
using schema::TypeRef;

// Writes from the end to the beginning, like gogo, so that a message's length is known when it is
// written.
class ReverseWriter {
 public:
  bool ok() const { return ok_; }
  std::string_view written() const { return out_.view(); }

  void message(const Type& type, const Value& value) {
    if (++depth_ > kDeepestMessage) {
      ok_ = false;
    } else {
      const std::size_t values = find_values(type, value);
      const auto& fields = type.by_proto_number;
      for (auto field = fields.rbegin(); field != fields.rend(); ++field) {
        const std::ptrdiff_t position = *field - type.fields.data();
        write_field(**field, (*field)->inlined ? &value : values_[values + position]);
      }
      values_.resize(values);
    }
    --depth_;
  }

 private:
  // Looks up the values of the type's fields in `object` and returns their first index in values_.
  // Objects have few fields, mostly in order.
  std::size_t find_values(const Type& type, const Value& object) {
    const std::size_t first = values_.size();
    const std::size_t count = type.fields.size();
    values_.resize(first + count);
    if (!object.is_object()) return first;
    std::size_t next = 0;
    for (const json::Member& member : object.members()) {
      for (std::size_t tried = 0; tried < count; ++tried, ++next) {
        if (next == count) next = 0;
        if (type.fields[next].name == member.key && !type.fields[next].inlined) {
          values_[first + next++] = &member.value;
          break;
        }
      }
    }
    return first;
  }

  void bytes(std::string_view text) { out_.put(text); }

  void varint(std::uint64_t value) {
    char forward[kLongestVarint];
    bytes({forward, encode_varint(value, forward)});
  }

  void tag(int number, WireType wire) {
    varint(static_cast<std::uint64_t>(number) << 3 | static_cast<std::uint64_t>(wire));
  }

  void varint_field(int number, std::int64_t value) {
    varint(static_cast<std::uint64_t>(value));
    tag(number, WireType::kVarint);
  }

  // Ends a field whose payload is everything since `mark`.
  void close(int number, std::size_t mark) {
    varint(out_.size() - mark);
    tag(number, WireType::kBytes);
  }

  void text_field(int number, std::string_view text) {
    const std::size_t mark = out_.size();
    bytes(text);
    close(number, mark);
  }

  // `value` may be null.
  void write_field(const Field& field, const Value* value) {
    if (value != nullptr && value->is_null()) value = nullptr;
    switch (field.proto_presence) {
      case ProtoPresence::kAlways:
        element(field.proto_number, field.type, value == nullptr ? Value() : *value);
        return;
      case ProtoPresence::kPointer:
      case ProtoPresence::kNonNil:
        if (value != nullptr) element(field.proto_number, field.type, *value);
        return;
      case ProtoPresence::kRepeated:
        if (value != nullptr && value->is_array()) {
          repeated(field.proto_number, *field.type.element, *value);
        }
        return;
      case ProtoPresence::kMap:
        if (value != nullptr && value->is_object()) map(field, *value);
        return;
      case ProtoPresence::kNone:
        return;
    }
  }

  void repeated(int number, const TypeRef& type, const Value& array) {
    const auto items = array.items();
    for (std::size_t i = items.size(); i > 0; --i) element(number, type, items[i - 1]);
  }

  void map(const Field& field, const Value& object) {
    std::vector<const json::Member*> entries;
    entries.reserve(object.size());
    for (const json::Member& member : object.members()) entries.push_back(&member);
    sort_stable(entries,
                [](const json::Member* a, const json::Member* b) { return a->key > b->key; });
    for (const json::Member* entry : entries) {
      const std::size_t mark = out_.size();
      element(2, *field.type.element, entry->value);
      text_field(1, entry->key);
      close(field.proto_number, mark);
    }
  }

  // Writes one value with its tag; null is the type's zero value.
  void element(int number, const TypeRef& type, const Value& value) {
    switch (type.type) {
      case FieldType::kBoolean:
        varint_field(number, value.is_bool() && value.as_bool() ? 1 : 0);
        return;
      case FieldType::kInt32:
      case FieldType::kInt64:
        varint_field(number, value.is_int() ? value.as_int() : 0);
        return;
      case FieldType::kNumber:
        number_field(number, value.is_number() ? value.as_double() : 0);
        return;
      default:
        break;
    }
    const std::size_t mark = out_.size();
    payload(type, value);
    close(number, mark);
  }

  void number_field(int number, double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    char little_endian[8];
    for (int i = 0; i < 8; ++i) little_endian[i] = static_cast<char>(bits >> 8 * i & 255);
    bytes({little_endian, sizeof little_endian});
    tag(number, WireType::kFixed64);
  }

  // Writes the bytes after the length.
  void payload(const TypeRef& type, const Value& value) {
    const std::string_view text = text_of(value);
    switch (type.type) {
      case FieldType::kString:
        return bytes(text);
      case FieldType::kBytes:
        return bytes(base64_decode(text).value_or(std::string()));
      case FieldType::kRef:
        return message(*type.ref, value);
      case FieldType::kArray:  // wrapped in a message
        if (value.is_array()) repeated(1, *type.element, value);
        return;
      case FieldType::kQuantity:
        return text_field(1, text.empty() ? std::string_view("0") : text);
      case FieldType::kIntOrString:
        text_field(3, text);
        varint_field(2, value.is_int() ? value.as_int() : 0);
        varint_field(1, value.is_string() ? 1 : 0);
        return;
      case FieldType::kTime:
      case FieldType::kMicroTime:
        return time(type.type, text);
      case FieldType::kRawExtension:
      case FieldType::kFieldsV1:
      case FieldType::kJson:
        if (!value.is_null()) raw_json(value);
        return;
      case FieldType::kSchemaOrBool:
        if (value.is_object()) message_field(2, *type.ref, value);
        varint_field(1, value.is_object() || (value.is_bool() && value.as_bool()) ? 1 : 0);
        return;
      case FieldType::kSchemaOrArray:
      case FieldType::kSchemaOrStringArray:
        return schema_or_array(type, value);
      default:
        return;
    }
  }

  void message_field(int number, const Type& type, const Value& value) {
    const std::size_t mark = out_.size();
    message(type, value);
    close(number, mark);
  }

  void time(FieldType type, std::string_view text) {
    const auto time = parse_rfc3339_unix(text);
    if (!time) return;  // the zero time is an empty message
    const bool micro = type == FieldType::kMicroTime;
    varint_field(2, micro ? time->nanoseconds / 1000 * 1000 : 0);
    varint_field(1, time->seconds);
  }

  void raw_json(const Value& value) { text_field(1, json_text(value)); }

  void schema_or_array(const TypeRef& type, const Value& value) {
    if (value.is_object()) return message_field(1, *type.ref, value);
    if (!value.is_array()) return;
    const auto items = value.items();
    for (std::size_t i = items.size(); i > 0; --i) {
      const Value& item = items[i - 1];
      if (type.type == FieldType::kSchemaOrArray) {
        message_field(2, *type.ref, item);
      } else {
        text_field(2, text_of(item));
      }
    }
  }

  BackwardBuffer out_;
  std::vector<const Value*> values_;  // field values of the open messages
  int depth_ = 0;
  bool ok_ = true;
};

}  // namespace

const Type* protobuf_type(const schema::Catalogue& catalogue, const Value& object) {
  const Type* type = schema::type_of_object(catalogue, object);
  return type != nullptr && type->has_proto ? type : nullptr;
}

bool write_protobuf_message(const Type& type, const Value& value, std::string& out) {
  ReverseWriter writer;
  writer.message(type, value);
  if (!writer.ok()) return false;
  out += writer.written();
  return true;
}

bool write_protobuf(const schema::Catalogue& catalogue, const Value& object, std::string& out) {
  const Type* type = protobuf_type(catalogue, object);
  std::string message;
  if (type == nullptr || !write_protobuf_message(*type, object, message)) return false;
  write_protobuf_envelope_head(object.string_at("apiVersion"), object.string_at("kind"),
                               message.size(), out);
  out += message;
  out += kProtobufEnvelopeTail;
  return true;
}

void write_protobuf_field_head(int number, std::size_t size, std::string& out) {
  char varint[kLongestVarint];
  const auto tag = static_cast<std::uint64_t>(number) << 3 | std::uint64_t(WireType::kBytes);
  out.append(varint, encode_varint(tag, varint));
  out.append(varint, encode_varint(size, varint));
}

void write_protobuf_envelope_head(std::string_view api_version, std::string_view kind,
                                  std::size_t size, std::string& out) {
  std::string type_meta;
  write_protobuf_field_head(1, api_version.size(), type_meta);
  type_meta += api_version;
  write_protobuf_field_head(2, kind.size(), type_meta);
  type_meta += kind;
  out += kProtobufMagic;
  write_protobuf_field_head(1, type_meta.size(), out);
  out += type_meta;
  write_protobuf_field_head(2, size, out);
}

void write_protobuf_watch_frame(std::string_view event, std::string_view object, std::string& out) {
  std::string raw;
  write_protobuf_field_head(1, object.size(), raw);
  std::string head;
  write_protobuf_field_head(1, event.size(), head);
  head += event;
  write_protobuf_field_head(2, raw.size() + object.size(), head);
  const std::size_t size = head.size() + raw.size() + object.size();
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(size >> shift & 255);
  out += head;
  out += raw;
  out += object;
}

}  // namespace tabernetes::codec
