#include "codec/gnostic.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "codec/gnostic_messages.h"
#include "codec/json_reader.h"
#include "codec/protobuf_wire.h"
#include "codec/yaml_go3.h"
#include "json/value.h"

namespace tabernetes::codec {
namespace {

using json::Member;
using json::Value;
using Message = GnosticMessage;

// Larger parts of the document are split as text; smaller ones are parsed into a tree.
constexpr std::size_t kLargest = 64 << 10;

bool is_reference(const Value& value) { return value.find("$ref") != nullptr; }

class GnosticWriter {
 public:
  explicit GnosticWriter(std::string& out) : out_(out) {}

  void varint(int number, std::uint64_t value) {
    tag(number, WireType::kVarint);
    put_varint(value);
  }
  void bytes(int number, std::string_view text) {
    tag(number, WireType::kBytes);
    put_varint(text.size());
    out_.append(text);
  }
  void real(int number, double value) {
    tag(number, WireType::kFixed64);
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    for (int i = 0; i < 8; ++i) out_ += static_cast<char>(bits >> (8 * i) & 255);
  }

 private:
  void put_varint(std::uint64_t value) {
    char bytes[kLongestVarint];
    out_.append(bytes, encode_varint(value, bytes));
  }
  void tag(int number, WireType wire) {
    put_varint(static_cast<std::uint64_t>(number) << 3 | static_cast<std::uint64_t>(wire));
  }

  std::string& out_;
};

std::string any_of(const Value& value) {
  std::string any;
  GnosticWriter(any).bytes(2, yaml_go3_text(value));
  return any;
}

std::string named(std::string_view name, std::string_view message) {
  std::string pair;
  GnosticWriter writer(pair);
  writer.bytes(1, name);
  writer.bytes(2, message);
  return pair;
}

// Returns v3's DefaultType: a scalar, even if it is zero; empty for a list or an object.
std::string scalar_of(const Value& value) {
  std::string scalar;
  GnosticWriter writer(scalar);
  if (value.is_number()) writer.real(1, value.as_double());
  if (value.is_bool()) writer.varint(2, value.as_bool() ? 1 : 0);
  if (value.is_string()) writer.bytes(3, value.as_string());
  return scalar;
}

std::string message_of(Message message, const Value& value);

void write_strings(int number, const Value& value, GnosticWriter& out) {
  if (value.is_string()) return out.bytes(number, value.as_string());
  for (const Value& item : value.items()) out.bytes(number, item.as_string());
}

// Writes a field that takes the message's whole value.
void write_self(const GnosticField& field, const Value& value, GnosticWriter& out) {
  const bool body = value.string_at("in") == "body";
  bool counts = true;
  switch (field.shape) {
    case GnosticShape::kSelfStrings:
      return write_strings(field.number, value, out);
    case GnosticShape::kSelfIfBool:
      if (value.is_bool()) out.varint(field.number, value.as_bool() ? 1 : 0);
      return;
    case GnosticShape::kSelfIfObject:
      counts = value.is_object();
      break;
    case GnosticShape::kSelfIfReference:
      counts = is_reference(value);
      break;
    case GnosticShape::kSelfUnlessReference:
      counts = !is_reference(value);
      break;
    case GnosticShape::kSelfIfIn:
      counts = value.string_at("in") == field.key;
      break;
    case GnosticShape::kSelfUnlessBody:
      counts = !body;
      break;
    default:
      break;
  }
  if (counts) out.bytes(field.number, message_of(field.message, value));
}

// Writes a field that takes one member. As in proto3, zero values are omitted.
void write_member(const GnosticField& field, const Value& value, GnosticWriter& out) {
  switch (field.shape) {
    case GnosticShape::kString:
      if (!value.as_string().empty()) out.bytes(field.number, value.as_string());
      return;
    case GnosticShape::kBool:
      if (value.as_bool()) out.varint(field.number, 1);
      return;
    case GnosticShape::kInt:
      if (value.as_double() != 0) {
        out.varint(field.number, static_cast<std::uint64_t>(value.as_double()));
      }
      return;
    case GnosticShape::kDouble:
      if (value.as_double() != 0) out.real(field.number, value.as_double());
      return;
    case GnosticShape::kStrings:
      return write_strings(field.number, value, out);
    case GnosticShape::kAny:
      return out.bytes(field.number, any_of(value));
    case GnosticShape::kAnys:
      for (const Value& item : value.items()) out.bytes(field.number, any_of(item));
      return;
    case GnosticShape::kMessage:
      return out.bytes(field.number, message_of(field.message, value));
    case GnosticShape::kMessages:
      for (const Value& item : value.items()) {
        out.bytes(field.number, message_of(field.message, item));
      }
      return;
    case GnosticShape::kScalar:
      return out.bytes(field.number, scalar_of(value));
    default:
      return;
  }
}

std::string message_of(Message message, const Value& value) {
  std::string text;
  GnosticWriter out(text);
  for (const GnosticField& field : gnostic_fields(message)) {
    if (field.shape == GnosticShape::kNamed) {
      for (const Member& member : value.members()) {
        out.bytes(field.number, named(member.key, message_of(field.message, member.value)));
      }
    } else if (field.shape == GnosticShape::kExtensions) {
      for (const Member& member : value.members()) {
        if (!member.key.starts_with("x-")) continue;
        out.bytes(field.number, named(member.key, any_of(member.value)));
      }
    } else if (field.shape >= GnosticShape::kSelf) {
      write_self(field, value, out);
    } else if (const Value* member = value.find(field.key)) {
      write_member(field, *member, out);
    }
  }
  return text;
}

struct MemberText {
  std::string key;
  std::string_view value;
};

// Decodes a JSON string given with its quotes.
std::string unquote(std::string_view text) {
  if (text.find('\\') == std::string_view::npos)
    return std::string(text.substr(1, text.size() - 2));
  json::Arena arena;
  return std::string(read_json(text, arena).value.as_string());
}

// Returns the length of the string at the start of `text`, including its quotes.
std::size_t string_size(std::string_view text) {
  std::size_t end = 1;
  while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
}

// Returns the length of the value at the start of `text`.
std::size_t value_size(std::string_view text) {
  int depth = 0;
  std::size_t end = 0;
  while (end < text.size()) {
    const char c = text[end];
    if (depth == 0 && (c == ',' || c == '}' || c == ']')) break;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    end += c == '"' ? string_size(text.substr(end)) : 1;
  }
  return end;
}

// Returns the members of an object. REQUIRES: compact JSON.
std::vector<MemberText> split(std::string_view object) {
  std::vector<MemberText> members;
  object.remove_prefix(1);
  while (object.starts_with('"')) {
    const std::size_t key = string_size(object);
    const std::string_view rest = object.substr(std::min(key + 1, object.size()));
    const std::size_t value = value_size(rest);
    members.push_back({unquote(object.substr(0, key)), rest.substr(0, value)});
    object = rest.substr(std::min(value + 1, rest.size()));
  }
  return members;
}

std::string message_of_text(Message message, std::string_view json);

void write_field_of_text(const GnosticField& field, const std::vector<MemberText>& members,
                         GnosticWriter& out) {
  for (const MemberText& member : members) {
    if (field.shape == GnosticShape::kNamed) {
      out.bytes(field.number, named(member.key, message_of_text(field.message, member.value)));
    } else if (member.key != field.key) {
      continue;
    } else if (field.shape == GnosticShape::kMessage) {
      out.bytes(field.number, message_of_text(field.message, member.value));
    } else {
      json::Arena arena;
      write_member(field, read_json(member.value, arena).value, out);
    }
  }
}

// Returns whether every field takes members, so that members can be processed one by one.
bool is_plain(Message message) {
  for (const GnosticField& field : gnostic_fields(message)) {
    if (field.shape >= GnosticShape::kExtensions) return false;
  }
  return true;
}

std::string message_of_text(Message message, std::string_view json) {
  if (json.size() <= kLargest || !is_plain(message)) {
    json::Arena arena;
    return message_of(message, read_json(json, arena).value);
  }
  const std::vector<MemberText> members = split(json);
  std::string text;
  GnosticWriter out(text);
  for (const GnosticField& field : gnostic_fields(message)) {
    write_field_of_text(field, members, out);
  }
  return text;
}

}  // namespace

std::string gnostic_v2(std::string_view json) { return message_of_text(Message::kDocument2, json); }

std::string gnostic_v3(std::string_view json) { return message_of_text(Message::kDocument3, json); }

}  // namespace tabernetes::codec
