#include "codec/protobuf_reader.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "base/base64.h"
#include "base/rfc3339.h"
#include "base/utf8.h"
#include "codec/json_reader.h"
#include "codec/protobuf_wire.h"
#include "codec/protobuf_writer.h"

namespace tabernetes::codec {
namespace {

using json::Arena;
using json::Value;
using schema::Field;
using schema::FieldType;
using schema::ProtoPresence;
using schema::Type;
using schema::TypeRef;

constexpr std::int64_t kNanosPerSecond = 1'000'000'000;

// One field of a message: its number, and what it holds.
struct Wire {
  std::uint32_t number = 0;
  std::uint8_t type = 0;
  std::uint64_t integer = 0;  // of a varint or fixed64
  std::string_view bytes;

  bool is(WireType wanted) const { return type == static_cast<std::uint8_t>(wanted); }
  std::int64_t as_int() const { return static_cast<std::int64_t>(integer); }
};

// Takes a message apart. The first error stays.
class WireReader {
 public:
  WireReader(std::string_view message, std::string& error) : rest_(message), error_(error) {}

  // The next field; false at the end and on an error. `message` is named in errors.
  bool next(std::string_view message, Wire& out) {
    if (rest_.empty() || !error_.empty()) return false;
    std::uint64_t key = 0;
    if (!varint(key)) return false;
    out.type = key & 7;
    const auto number = static_cast<std::int32_t>(key >> 3);
    if (out.type == 4) {
      return fail("proto: " + std::string(message) + ": wiretype end group for non-group");
    }
    if (number <= 0) {
      return fail("proto: " + std::string(message) + ": illegal tag " + std::to_string(number) +
                  " (wire type " + std::to_string(key) + ")");
    }
    out.number = static_cast<std::uint32_t>(number);
    return value(out);
  }

  bool varint(std::uint64_t& value) {
    value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) return fail("unexpected EOF");
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= std::uint64_t{byte & 127u} << shift;
      if (byte < 128) return true;
    }
    return fail("proto: integer overflow");
  }

  bool at_end() const { return rest_.empty(); }

 private:
  bool fail(std::string error) {
    if (error_.empty()) error_ = std::move(error);
    return false;
  }

  bool take(std::uint64_t size, std::string_view& out) {
    if (size > static_cast<std::uint64_t>(INT64_MAX)) {
      return fail("proto: negative length found during unmarshaling");
    }
    if (size > rest_.size()) return fail("unexpected EOF");
    out = rest_.substr(0, static_cast<std::size_t>(size));
    rest_.remove_prefix(out.size());
    return true;
  }

  bool value(Wire& out) {
    std::uint64_t size = 0;
    switch (out.type) {
      case 0:
        return varint(out.integer);
      case 1:
        if (!take(8, out.bytes)) return false;
        out.integer = 0;
        for (int i = 7; i >= 0; --i) {
          out.integer = out.integer << 8 | static_cast<unsigned char>(out.bytes[i]);
        }
        return true;
      case 2:
        return varint(size) && take(size, out.bytes);
      case 3:
        return skip_group();
      case 5:
        return take(4, out.bytes);
      default:
        return fail("proto: illegal wireType " + std::to_string(out.type));
    }
  }

  // Everything up to the end of a group that has begun; groups may nest.
  bool skip_group() {
    for (std::size_t open = 1; open > 0;) {
      std::uint64_t key = 0;
      if (!varint(key)) return false;
      Wire inner;
      inner.type = key & 7;
      if (inner.type == 3) {
        ++open;
      } else if (inner.type == 4) {
        --open;
      } else if (!value(inner)) {
        return false;
      }
    }
    return true;
  }

  std::string_view rest_;
  std::string& error_;
};

class Reader {
 public:
  Reader(Arena& arena, std::string& error) : arena_(arena), error_(error) {}

  // Reads into `object`, which may have members already: a message that comes twice is merged.
  void message(const Type& type, std::string_view bytes, Value& object) {
    if (++depth_ > kDeepestMessage) {
      fail("proto: " + std::string(type.go_name) + ": nested too deep");
    } else {
      WireReader reader(bytes, error_);
      Wire wire;
      while (reader.next(type.go_name, wire)) {
        if (const Field* field = field_of(type, wire.number)) read_field(*field, wire, object);
      }
    }
    --depth_;
  }

 private:
  void fail(std::string error) {
    if (error_.empty()) error_ = std::move(error);
  }

  static const Field* field_of(const Type& type, std::uint32_t number) {
    const auto& fields = type.by_proto_number;
    const auto found = std::lower_bound(
        fields.begin(), fields.end(), number,
        [](const Field* field, std::uint32_t n) { return field->proto_number < n; });
    return found != fields.end() && (*found)->proto_number == number ? *found : nullptr;
  }

  // True if the field was written as its type is; else the error is set.
  bool expect(const Wire& wire, WireType wanted, std::string_view json_name) {
    if (wire.is(wanted)) return true;
    std::string name(json_name);
    if (!name.empty() && name[0] >= 'a' && name[0] <= 'z') name[0] -= 'a' - 'A';
    fail("proto: wrong wireType = " + std::to_string(wire.type) + " for field " + name);
    return false;
  }

  static WireType wire_type_of(FieldType type) {
    switch (type) {
      case FieldType::kBoolean:
      case FieldType::kInt32:
      case FieldType::kInt64:
        return WireType::kVarint;
      case FieldType::kNumber:
        return WireType::kFixed64;
      default:
        return WireType::kBytes;
    }
  }

  void read_field(const Field& field, const Wire& wire, Value& object) {
    if (field.inlined) {
      if (expect(wire, WireType::kBytes, field.type.ref->go_name)) {
        message(*field.type.ref, wire.bytes, object);
      }
      return;
    }
    if (field.proto_presence == ProtoPresence::kMap) return read_entry(field, wire, object);
    if (field.proto_presence == ProtoPresence::kRepeated) return read_item(field, wire, object);
    if (!expect(wire, wire_type_of(field.type.type), field.name)) return;
    const Value* old = object.find(field.name);
    Value value = old == nullptr ? Value() : *old;
    read_value(field.type, wire, value);
    object.set(arena_, field.name, value);
  }

  void read_item(const Field& field, const Wire& wire, Value& object) {
    const TypeRef& type = *field.type.element;
    Value* list = object.find(field.name);
    if (list == nullptr) {
      object.append(arena_, field.name, Value::array(arena_));
      list = object.find(field.name);
    }
    if (wire_type_of(type.type) == WireType::kVarint && wire.is(WireType::kBytes)) {
      return read_packed(type, wire.bytes, *list);
    }
    if (!expect(wire, wire_type_of(type.type), field.name)) return;
    Value item;
    read_value(type, wire, item);
    list->push_back(arena_, item);
  }

  void read_packed(const TypeRef& type, std::string_view bytes, Value& list) {
    WireReader reader(bytes, error_);
    Wire wire;
    while (!reader.at_end() && reader.varint(wire.integer)) {
      Value item;
      read_value(type, wire, item);
      list.push_back(arena_, item);
    }
  }

  void read_entry(const Field& field, const Wire& wire, Value& object) {
    if (!expect(wire, WireType::kBytes, field.name)) return;
    const TypeRef& type = *field.type.element;
    std::string_view key;
    // Without a value the entry has the type's zero.
    Wire value;
    value.type = static_cast<std::uint8_t>(wire_type_of(type.type));
    WireReader reader(wire.bytes, error_);
    Wire part;
    while (reader.next(field.name, part)) {
      if (part.number == 1 && part.is(WireType::kBytes)) key = part.bytes;
      if (part.number == 2 && expect(part, wire_type_of(type.type), field.name)) value = part;
    }
    Value entry;
    read_value(type, value, entry);
    Value* map = object.find(field.name);
    if (map == nullptr) {
      object.append(arena_, field.name, Value::object(arena_));
      map = object.find(field.name);
    }
    map->set(arena_, text(key), entry);
  }

  // The value of a field whose wire type is right. `out` holds what came before, or null.
  void read_value(const TypeRef& type, const Wire& wire, Value& out) {
    switch (type.type) {
      case FieldType::kBoolean:
        out = Value::boolean(wire.integer != 0);
        return;
      case FieldType::kInt32:
        out = Value::integer(static_cast<std::int32_t>(wire.integer));
        return;
      case FieldType::kInt64:
        out = Value::integer(wire.as_int());
        return;
      case FieldType::kNumber:
        return read_number(wire, out);
      case FieldType::kString:
        out = Value::string(text(wire.bytes));
        return;
      case FieldType::kBytes:
        out = Value::string(arena_.copy(base64_encode(wire.bytes)));
        return;
      case FieldType::kRef:
        if (!out.is_object()) out = Value::object(arena_);
        return message(*type.ref, wire.bytes, out);
      default:
        return read_special(type, wire.bytes, out);
    }
  }

  void read_number(const Wire& wire, Value& out) {
    double value = 0;
    std::memcpy(&value, &wire.integer, sizeof value);
    if (!std::isfinite(value)) {
      return fail(std::string("json: unsupported value: ") + (std::isnan(value) ? "NaN"
                                                              : value > 0       ? "+Inf"
                                                                                : "-Inf"));
    }
    out = Value::number(arena_, value);
  }

  // Types with a message of their own form.
  void read_special(const TypeRef& type, std::string_view bytes, Value& out) {
    Special parts;
    WireReader reader(bytes, error_);
    Wire wire;
    while (reader.next("message", wire)) {
      if (type.type == FieldType::kArray) {
        if (wire.number == 1) parts.add(arena_, item_of(*type.element, wire));
      } else if (is_schema_union(type.type) && wire.is(WireType::kBytes)) {
        read_union_part(type, wire, parts);
      } else if (wire.number <= 3) {
        parts.fields[wire.number - 1] = wire;
      }
    }
    if (error_.empty()) out = finish(type, bytes.empty(), parts);
  }

  struct Special {
    Wire fields[3];
    Value value;

    void add(Arena& arena, Value item) {
      if (!value.is_array()) value = Value::array(arena);
      value.push_back(arena, item);
    }
  };

  static bool is_schema_union(FieldType type) {
    return type == FieldType::kSchemaOrBool || type == FieldType::kSchemaOrArray ||
           type == FieldType::kSchemaOrStringArray;
  }

  Value item_of(const TypeRef& type, const Wire& wire) {
    Value item;
    if (expect(wire, wire_type_of(type.type), "items")) read_value(type, wire, item);
    return item;
  }

  void read_union_part(const TypeRef& type, const Wire& wire, Special& parts) {
    if (type.type == FieldType::kSchemaOrStringArray && wire.number == 2) {
      return parts.add(arena_, Value::string(text(wire.bytes)));
    }
    Value part = Value::object(arena_);
    message(*type.ref, wire.bytes, part);
    if (type.type == FieldType::kSchemaOrArray && wire.number == 2) {
      parts.add(arena_, part);
    } else {
      parts.value = part;
    }
  }

  Value finish(const TypeRef& type, bool empty, const Special& parts) {
    const Wire* fields = parts.fields;
    switch (type.type) {
      case FieldType::kArray:
        return parts.value.is_null() ? Value::array(arena_) : parts.value;
      case FieldType::kSchemaOrBool:
        if (!parts.value.is_null()) return parts.value;
        return Value::boolean(fields[0].integer != 0);
      case FieldType::kSchemaOrArray:
      case FieldType::kSchemaOrStringArray:
        return parts.value;
      case FieldType::kQuantity: {
        const std::string_view amount = text(fields[0].bytes);
        return Value::string(amount.empty() ? std::string_view("0") : amount);
      }
      case FieldType::kIntOrString:
        if (fields[0].integer == 1) return Value::string(text(fields[2].bytes));
        return Value::integer(static_cast<std::int32_t>(fields[1].integer));
      case FieldType::kTime:
      case FieldType::kMicroTime:
        return empty ? Value() : time_of(type.type, fields[0].as_int(), fields[1].integer);
      default:
        return free_form(fields[0].bytes);
    }
  }

  Value time_of(FieldType type, std::int64_t seconds, std::uint64_t nanoseconds) {
    UnixTime time{seconds, static_cast<std::int32_t>(nanoseconds)};
    if (time.nanoseconds < 0 || time.nanoseconds >= kNanosPerSecond) time.nanoseconds = 0;
    const Fraction fraction =
        type == FieldType::kMicroTime ? Fraction::kMicroseconds : Fraction::kNone;
    return Value::string(arena_.copy(format_unix(time, fraction)));
  }

  // JSON text, or an object in an envelope of its own.
  Value free_form(std::string_view raw) {
    if (raw.empty()) return Value();
    if (raw.starts_with(kProtobufMagic)) return enveloped(raw);
    JsonRead read = read_json(raw, arena_);
    if (!read.ok()) fail(std::move(read.error));
    return read.value;
  }

  Value enveloped(std::string_view bytes) {
    ProtobufEnvelope envelope = read_protobuf_envelope(bytes);
    if (!envelope.error.empty()) fail(std::move(envelope.error));
    Value object = Value::object(arena_);
    object.append(arena_, "kind", Value::string(text(envelope.kind)));
    object.append(arena_, "apiVersion", Value::string(text(envelope.api_version)));
    if (const Type* type = protobuf_type(schema::Catalogue::built_in(), object)) {
      message(*type, envelope.message, object);
    }
    return object;
  }

  // What is no UTF-8 becomes U+FFFD, as JSON would show it.
  std::string_view text(std::string_view bytes) {
    if (is_valid_utf8(bytes)) return bytes;
    std::string clean;
    while (!bytes.empty()) {
      const Rune rune = decode_rune(bytes);
      clean += rune.valid ? bytes.substr(0, rune.size) : std::string_view("\xef\xbf\xbd");
      bytes.remove_prefix(rune.size);
    }
    return arena_.copy(clean);
  }

  Arena& arena_;
  std::string& error_;
  int depth_ = 0;
};

}  // namespace

ProtobufEnvelope read_protobuf_envelope(std::string_view bytes) {
  ProtobufEnvelope out;
  if (bytes.empty()) {
    out.error = "empty data";
  } else if (!bytes.starts_with(kProtobufMagic)) {
    out.error =
        "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]";
  } else if (bytes.size() == kProtobufMagic.size()) {
    out.error = "empty body";
  }
  if (!out.error.empty()) return out;
  WireReader unknown(bytes.substr(kProtobufMagic.size()), out.error);
  Wire wire;
  while (unknown.next("Unknown", wire)) {
    if (wire.number > 4) continue;
    if (!wire.is(WireType::kBytes)) {
      static constexpr const char* kNames[] = {"TypeMeta", "Raw", "ContentEncoding", "ContentType"};
      out.error = "proto: wrong wireType = " + std::to_string(wire.type) + " for field " +
                  kNames[wire.number - 1];
    } else if (wire.number == 2) {
      out.message = wire.bytes;
    } else if (wire.number == 1) {
      WireReader type_meta(wire.bytes, out.error);
      Wire part;
      while (type_meta.next("TypeMeta", part)) {
        if (part.number == 1) out.api_version = part.bytes;
        if (part.number == 2) out.kind = part.bytes;
      }
    }
  }
  return out;
}

ProtobufRead read_protobuf_message(const Type& type, std::string_view message, Arena& arena) {
  ProtobufRead out;
  out.value = Value::object(arena);
  Reader(arena, out.error).message(type, message, out.value);
  return out;
}

}  // namespace tabernetes::codec
