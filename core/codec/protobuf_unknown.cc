// Tested by tests/core/codec/protobuf_unknown_test.cc.
#include "codec/protobuf_unknown.h"

#include <algorithm>
#include <utility>

#include "codec/protobuf_wire.h"
#include "codec/protobuf_wire_reader.h"

namespace tabernetes::codec {
namespace {

using schema::Field;
using schema::FieldType;
using schema::ProtoPresence;
using schema::Type;

constexpr auto kBytesWire = static_cast<std::uint8_t>(WireType::kBytes);
const Field* known_field(const Type& type, std::uint32_t number) {
  const auto& fields = type.by_proto_number;
  const auto found =
      std::lower_bound(fields.begin(), fields.end(), number,
                       [](const Field* field, std::uint32_t n) { return field->proto_number < n; });
  return found != fields.end() && (*found)->proto_number == number ? *found : nullptr;
}

bool is_repeated(const Field& field) { return field.proto_presence == ProtoPresence::kRepeated; }

// Returns the type of the messages in a field; null if it has none, or maps of them.
const Type* message_type(const Field& field, const FieldTag& tag) {
  if (field.proto_presence == ProtoPresence::kMap || field.proto_wrap || tag.wire != kBytesWire) {
    return nullptr;
  }
  const schema::TypeRef& single = is_repeated(field) ? *field.type.element : field.type;
  return single.type == FieldType::kRef ? single.ref : nullptr;
}

// Returns the text of field 1; empty if there is none.
std::string_view element_name(std::string_view message) {
  std::string error;
  WireReader in(message, error);
  FieldTag tag;
  std::string_view name;
  while (in.next({}, tag)) {
    if (tag.number == 1 && tag.wire == kBytesWire) {
      in.bytes(name);
      return name;
    }
    in.skip();
  }
  return {};
}

// A message of a list, by the list's field and its name.
using Element = std::pair<std::uint32_t, std::string_view>;

UnknownFields find(const Type& type, std::string_view message, int depth) {
  UnknownFields found;
  if (depth > kDeepestUnknown) return found;
  std::string error;
  WireReader in(message, error);
  FieldTag tag;
  std::vector<Element> elements;
  while (in.next({}, tag)) {
    const Field* field = known_field(type, tag.number);
    const Type* below = field == nullptr ? nullptr : message_type(*field, tag);
    if (below == nullptr) {
      if (in.skip() && field == nullptr) found.fields += in.field();
      continue;
    }
    std::string_view bytes;
    if (!in.bytes(bytes)) break;
    UnknownFields unknown = find(*below, bytes, depth + 1);
    std::string_view element;
    if (is_repeated(*field)) {
      element = element_name(bytes);
      elements.emplace_back(tag.number, element);
      if (element.empty()) continue;
    }
    if (!unknown.empty()) {
      found.below.push_back({tag.number, std::string(element), std::move(unknown)});
    }
  }
  if (!error.empty()) return {};
  std::erase_if(found.below, [&](const UnknownBelow& each) {
    return std::count(elements.begin(), elements.end(), Element(each.field, each.element)) > 1;
  });
  return found;
}

void append_message(std::uint32_t number, std::string_view message, std::string& out) {
  char varint[kLongestVarint];
  out.append(varint, encode_varint(std::uint64_t{number} << 3 | kBytesWire, varint));
  out.append(varint, encode_varint(message.size(), varint));
  out += message;
}

const UnknownBelow* find_below(const UnknownFields& unknown, const Field& field,
                               std::uint32_t number, std::string_view message) {
  const std::string_view element = is_repeated(field) ? element_name(message) : std::string_view();
  if (is_repeated(field) && element.empty()) return nullptr;
  for (const UnknownBelow& each : unknown.below) {
    if (each.field == number && each.element == element) return &each;
  }
  return nullptr;
}

}  // namespace

UnknownFields find_unknown_fields(const Type& type, std::string_view message) {
  return find(type, message, 0);
}

std::string with_unknown_fields(const Type& type, std::string_view message,
                                const UnknownFields& unknown) {
  std::string out, error;
  WireReader in(message, error);
  FieldTag tag;
  while (in.next({}, tag)) {
    const Field* field = known_field(type, tag.number);
    const Type* type_below = field == nullptr ? nullptr : message_type(*field, tag);
    std::string_view bytes;
    if (type_below == nullptr ? !in.skip() : !in.bytes(bytes)) break;
    const UnknownBelow* below =
        type_below == nullptr ? nullptr : find_below(unknown, *field, tag.number, bytes);
    if (below == nullptr) {
      out += in.field();
    } else {
      append_message(tag.number, with_unknown_fields(*type_below, bytes, below->unknown), out);
    }
  }
  if (!error.empty()) return std::string(message);
  return out += unknown.fields;
}

}  // namespace tabernetes::codec
