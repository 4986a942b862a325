// Tested by tests/core/codec/protobuf_test.cc, tests/fuzz/protobuf_fuzz.cc.
#include "codec/protobuf_reader.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>

#include "base/api/quantity.h"
#include "base/text/base64.h"
#include "base/text/utf8.h"
#include "base/time/rfc3339.h"
#include "codec/go_field_name.h"
#include "codec/json_reader.h"
#include "codec/protobuf_wire.h"
#include "codec/protobuf_wire_reader.h"
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

std::string wrong_wire_type(const FieldTag& tag, std::string_view field) {
  return "proto: wrong wireType = " + std::to_string(tag.wire) + " for field " + std::string(field);
}

bool is_wire(const FieldTag& tag, WireType wanted) {
  return tag.wire == static_cast<std::uint8_t>(wanted);
}

WireType wire_type_of(FieldType type) {
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

// The messages of types with a special JSON form, by field number.
struct LeafField {
  std::string_view name;  // in Go; empty if the number is unused
  WireType wire = WireType::kBytes;
};
struct LeafMessage {
  std::string_view name;
  LeafField fields[3];
};

const LeafMessage& leaf_message(FieldType type) {
  static constexpr LeafMessage kList{"ExtraValue", {{"Items"}}};
  static constexpr LeafMessage kQuantity{"Quantity", {{"String_"}}};
  static constexpr LeafMessage kIntOrString{
      "IntOrString", {{"Type", WireType::kVarint}, {"IntVal", WireType::kVarint}, {"StrVal"}}};
  static constexpr LeafMessage kTime{
      "Timestamp", {{"Seconds", WireType::kVarint}, {"Nanos", WireType::kVarint}}};
  static constexpr LeafMessage kRawExtension{"RawExtension", {{"Raw"}}};
  static constexpr LeafMessage kFieldsV1{"FieldsV1", {{"Raw"}}};
  static constexpr LeafMessage kJson{"JSON", {{"Raw"}}};
  static constexpr LeafMessage kOrBool{"JSONSchemaPropsOrBool",
                                       {{"Allows", WireType::kVarint}, {"Schema"}}};
  static constexpr LeafMessage kOrArray{"JSONSchemaPropsOrArray", {{"Schema"}, {"JSONSchemas"}}};
  static constexpr LeafMessage kOrStrings{"JSONSchemaPropsOrStringArray",
                                          {{"Schema"}, {"Property"}}};
  switch (type) {
    case FieldType::kArray:
      return kList;
    case FieldType::kQuantity:
      return kQuantity;
    case FieldType::kIntOrString:
      return kIntOrString;
    case FieldType::kTime:
    case FieldType::kMicroTime:
      return kTime;
    case FieldType::kFieldsV1:
      return kFieldsV1;
    case FieldType::kJson:
      return kJson;
    case FieldType::kSchemaOrBool:
      return kOrBool;
    case FieldType::kSchemaOrArray:
      return kOrArray;
    case FieldType::kSchemaOrStringArray:
      return kOrStrings;
    default:
      return kRawExtension;
  }
}

class Reader {
 public:
  Reader(Arena& arena, std::string& error) : arena_(arena), error_(error) {}

  // Reads into `object`, which may have members already: repeated messages of a field are merged.
  void message(const Type& type, std::string_view bytes, Value& object) {
    if (++depth_ > kDeepestMessage) {
      fail("proto: " + std::string(type.go_name) + ": nested too deep");
    } else {
      WireReader in(bytes, error_);
      FieldTag tag;
      while (in.next(type.go_name, tag)) {
        const Field* field = field_of(type, tag.number);
        if (field == nullptr) {
          in.skip();
        } else {
          read_field(type, *field, tag, in, object);
        }
      }
    }
    --depth_;
  }

 private:
  bool fail(std::string error) {
    if (error_.empty()) error_ = std::move(error);
    return false;
  }

  static const Field* field_of(const Type& type, std::uint32_t number) {
    const auto& fields = type.by_proto_number;
    const auto found = std::lower_bound(
        fields.begin(), fields.end(), number,
        [](const Field* field, std::uint32_t n) { return field->proto_number < n; });
    return found != fields.end() && (*found)->proto_number == number ? *found : nullptr;
  }

  // Returns the type of a field's single values.
  static const TypeRef& single(const Field& field) {
    return field.proto_presence == ProtoPresence::kRepeated ? *field.type.element : field.type;
  }

  void read_field(const Type& owner, const Field& field, const FieldTag& tag, WireReader& in,
                  Value& object) {
    const bool is_map = field.proto_presence == ProtoPresence::kMap;
    const bool is_list = field.proto_presence == ProtoPresence::kRepeated;
    const WireType wanted = is_map ? WireType::kBytes : wire_type_of(single(field).type);
    if (is_list && wanted == WireType::kVarint && is_wire(tag, WireType::kBytes)) {
      return read_packed(field, in, object);
    }
    if (!is_wire(tag, wanted)) {
      fail(wrong_wire_type(tag, go_field_name(owner, field)));
    } else if (is_map) {
      read_entry(field, in, object);
    } else if (is_list) {
      Value item;
      if (read_value(single(field), in, item)) list_of(field, object).push_back(arena_, item);
    } else if (field.inlined) {
      std::string_view bytes;
      if (in.bytes(bytes)) message(*field.type.ref, bytes, object);
    } else {
      const Value* old = object.find(field.name);
      Value value = old == nullptr ? Value() : *old;
      if (read_value(field.type, in, value)) object.set(arena_, field.name, value);
    }
  }

  Value& list_of(const Field& field, Value& object) {
    if (Value* list = object.find(field.name)) return *list;
    object.append(arena_, field.name, Value::array(arena_));
    return *object.find(field.name);
  }

  void read_packed(const Field& field, WireReader& in, Value& object) {
    Value& list = list_of(field, object);
    in.packed([&](std::uint64_t number) {
      list.push_back(arena_, whole_number(single(field).type, number));
    });
  }

  void read_entry(const Field& field, WireReader& in, Value& object) {
    const TypeRef& type = *field.type.element;
    std::string_view key;
    std::optional<Value> value;
    const bool ok = in.entry(key, [&](WireReader& entry) {
      value.emplace();
      return read_value(type, entry, *value);
    });
    if (!ok) return;
    if (!value) value = zero_of(type);
    Value* map = object.find(field.name);
    if (map == nullptr) {
      object.append(arena_, field.name, Value::object(arena_));
      map = object.find(field.name);
    }
    map->set(arena_, text(key), *value);
  }

  // Returns the value of a map entry without a value.
  Value zero_of(const TypeRef& type) {
    static constexpr char kZeros[8] = {};  // the number 0 and the length 0 in every wire type
    WireReader in({kZeros, sizeof kZeros}, error_);
    Value zero;
    read_value(type, in, zero);
    return zero;
  }

  static Value whole_number(FieldType type, std::uint64_t number) {
    if (type == FieldType::kBoolean) return Value::boolean(number != 0);
    return Value::integer(type == FieldType::kInt32 ? static_cast<std::int32_t>(number)
                                                    : static_cast<std::int64_t>(number));
  }

  // Reads the value of a field with the right wire type. `out` holds the earlier value, or null.
  bool read_value(const TypeRef& type, WireReader& in, Value& out) {
    std::uint64_t number = 0;
    std::string_view bytes;
    switch (wire_type_of(type.type)) {
      case WireType::kVarint:
        if (!in.varint(number)) return false;
        out = whole_number(type.type, number);
        return true;
      case WireType::kFixed64:
        return in.fixed64(number) && read_double(number, out);
      default:
        if (!in.bytes(bytes)) return false;
        read_bytes(type, bytes, out);
        return error_.empty();
    }
  }

  void read_bytes(const TypeRef& type, std::string_view bytes, Value& out) {
    switch (type.type) {
      case FieldType::kString:
        out = Value::string(text(bytes));
        return;
      case FieldType::kBytes:
        out = Value::string(arena_.copy(base64_encode(bytes)));
        return;
      case FieldType::kRef:
        if (!out.is_object()) out = Value::object(arena_);
        return message(*type.ref, bytes, out);
      default:
        return read_leaf(type, bytes, out);
    }
  }

  bool read_double(std::uint64_t bits, Value& out) {
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) {
      return fail(std::string("json: unsupported value: ") + (std::isnan(value) ? "NaN"
                                                              : value > 0       ? "+Inf"
                                                                                : "-Inf"));
    }
    out = Value::number(arena_, value);
    return true;
  }

  // The fields of a leaf's message; the contents of lists and unions.
  struct Parts {
    struct Part {
      bool is_set = false;
      std::uint64_t number = 0;
      std::string_view bytes;
    };
    Part fields[3];
    Value value;

    void add(Arena& arena, Value item) {
      if (!value.is_array()) value = Value::array(arena);
      value.push_back(arena, item);
    }
  };

  void read_leaf(const TypeRef& type, std::string_view bytes, Value& out) {
    const LeafMessage& form = leaf_message(type.type);
    Parts parts;
    WireReader in(bytes, error_);
    FieldTag tag;
    while (in.next(form.name, tag)) {
      if (tag.number > 3 || form.fields[tag.number - 1].name.empty()) {
        in.skip();
        continue;
      }
      const LeafField& field = form.fields[tag.number - 1];
      if (!is_wire(tag, field.wire)) {
        fail(wrong_wire_type(tag, field.name));
        return;
      }
      Parts::Part& part = parts.fields[tag.number - 1];
      part.is_set = true;
      const bool ok =
          field.wire == WireType::kVarint ? in.varint(part.number) : in.bytes(part.bytes);
      if (ok && field.wire == WireType::kBytes) take_part(type, tag.number, part.bytes, parts);
    }
    if (error_.empty()) finish(type, bytes.empty(), parts, out);
  }

  // Adds an item of a list, or a schema or string of a union.
  void take_part(const TypeRef& type, std::uint32_t number, std::string_view bytes, Parts& parts) {
    switch (type.type) {
      case FieldType::kArray: {
        Value item;
        read_bytes(*type.element, bytes, item);
        return parts.add(arena_, item);
      }
      case FieldType::kSchemaOrStringArray:
        if (number == 2) return parts.add(arena_, Value::string(text(bytes)));
        [[fallthrough]];
      case FieldType::kSchemaOrBool:
      case FieldType::kSchemaOrArray: {
        Value schema = Value::object(arena_);
        message(*type.ref, bytes, schema);
        if (type.type == FieldType::kSchemaOrArray && number == 2) {
          return parts.add(arena_, schema);
        }
        parts.value = schema;
        return;
      }
      default:
        return;
    }
  }

  // Makes the value from its parts. `out` holds the value of an earlier message of the same field.
  void finish(const TypeRef& type, bool empty, const Parts& parts, Value& out) {
    const Parts::Part* fields = parts.fields;
    switch (type.type) {
      case FieldType::kArray:
        out = parts.value.is_null() ? Value::array(arena_) : parts.value;
        return;
      case FieldType::kSchemaOrBool:
        out = parts.value.is_null() ? Value::boolean(fields[0].number != 0) : parts.value;
        return;
      case FieldType::kSchemaOrArray:
      case FieldType::kSchemaOrStringArray:
        out = parts.value;
        return;
      case FieldType::kQuantity:
        return quantity(fields[0], out);
      case FieldType::kIntOrString:
        out = fields[0].number == 1 ? Value::string(text(fields[2].bytes))
                                    : whole_number(FieldType::kInt32, fields[1].number);
        return;
      case FieldType::kTime:
      case FieldType::kMicroTime:
        out = empty ? Value() : time_of(type.type, fields[0].number, fields[1].number);
        return;
      default:
        if (fields[0].is_set) out = free_form(fields[0].bytes);
        return;
    }
  }

  void quantity(const Parts::Part& amount, Value& out) {
    if (!amount.is_set) {
      if (out.is_null()) out = Value::string("0");
      return;
    }
    std::string storage;
    std::string_view message;
    const auto canonical = canonical_quantity(amount.bytes, storage, message);
    if (canonical) {
      out = Value::string(arena_.copy(*canonical));
    } else {
      fail(std::string(message));
    }
  }

  Value time_of(FieldType type, std::uint64_t seconds, std::uint64_t nanoseconds) {
    UnixTime time{static_cast<std::int64_t>(seconds), 0};
    if (type == FieldType::kTime) {
      return Value::string(arena_.copy(format_unix(time, Fraction::kNone)));
    }
    const std::int64_t nanos = static_cast<std::int32_t>(nanoseconds) / 1000 * 1000;
    const std::int64_t below = nanos < 0 ? 3 : 0;  // rounds the division down
    const std::int64_t whole = (nanos + below * kNanosPerSecond) / kNanosPerSecond - below;
    time.seconds += whole;
    time.nanoseconds = static_cast<std::int32_t>(nanos - whole * kNanosPerSecond);
    return Value::string(arena_.copy(format_unix(time, Fraction::kMicroseconds)));
  }

  // Reads JSON text or an enveloped object.
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

  // Replaces invalid UTF-8 by U+FFFD, as JSON would show it.
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

// Reads the type meta of an envelope.
void read_type_meta(std::string_view bytes, ProtobufEnvelope& out) {
  WireReader in(bytes, out.error);
  FieldTag tag;
  while (in.next("TypeMeta", tag)) {
    if (tag.number > 2) {
      in.skip();
    } else if (!is_wire(tag, WireType::kBytes)) {
      out.error = wrong_wire_type(tag, tag.number == 1 ? "APIVersion" : "Kind");
    } else {
      in.bytes(tag.number == 1 ? out.api_version : out.kind);
    }
  }
}

void read_unknown(std::string_view bytes, ProtobufEnvelope& out) {
  static constexpr std::string_view kNames[] = {"TypeMeta", "Raw", "ContentEncoding",
                                                "ContentType"};
  WireReader in(bytes, out.error);
  FieldTag tag;
  while (in.next("Unknown", tag)) {
    std::string_view value;
    if (tag.number > std::size(kNames)) {
      in.skip();
    } else if (!is_wire(tag, WireType::kBytes)) {
      out.error = wrong_wire_type(tag, kNames[tag.number - 1]);
    } else if (in.bytes(value)) {
      if (tag.number == 1) read_type_meta(value, out);
      if (tag.number == 2) out.message = value;
    }
  }
}

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
  } else {
    read_unknown(bytes.substr(kProtobufMagic.size()), out);
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
