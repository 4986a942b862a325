// Reads objects along the schema like Go's decoder with a struct of that type: continues after
// errors and keeps the first. Tested by tests/core/codec/cbor_test.cc, tests/fuzz/cbor_fuzz.cc.
#include "codec/cbor_reader.h"

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "base/algorithm/sort.h"
#include "base/go/text.h"
#include "base/numbers/float_digits.h"
#include "base/text/base64.h"
#include "codec/cbor_values.h"
#include "codec/cbor_wellformed.h"
#include "schema/decode_scalar.h"
#include "schema/field_cursor.h"
#include "schema/go_type.h"

namespace tabernetes::codec {
namespace {

using cbor::Entry;
using cbor::Head;
using cbor::Items;
using cbor::Major;
using json::Arena;
using json::Value;
using schema::Field;
using schema::FieldType;
using schema::Type;
using schema::TypeRef;

constexpr int kDeepest = 256;  // nesting of structs, as in schema::decode_typed
constexpr std::uint64_t kLargestInt = std::numeric_limits<std::int64_t>::max();

// The unknown keys of a map, which must be unique, too.
class UnknownKeys {
 public:
  void add(std::string text, std::size_t index) { keys_.emplace_back(std::move(text), index); }

  // Returns the error for the first duplicate key, if there is one.
  std::optional<std::string> repeated() {
    sort_stable(keys_);
    const Key* found = nullptr;
    for (std::size_t i = 1; i < keys_.size(); ++i) {
      if (keys_[i - 1].first != keys_[i].first) continue;
      if (found == nullptr || keys_[i].second < found->second) found = &keys_[i];
    }
    if (found == nullptr) return std::nullopt;
    const std::string_view text = found->first;
    if (text[0] == 's') return cbor::duplicate_key(text.substr(1), found->second);
    return "cbor: found duplicate map key " + std::string(text.substr(1)) +
           " at map element index " + std::to_string(found->second);
  }

 private:
  // 's' and a string key, or 'n' and another key in text form.
  using Key = std::pair<std::string, std::size_t>;
  std::vector<Key> keys_;
};

class ObjectReader {
 public:
  ObjectReader(std::span<const Head> heads, bool strict, Arena& arena)
      : items_(heads, arena, errors_), strict_(strict) {}

  CborObjectRead read(const Type& type) {
    const std::string name = schema::go_struct_name(type);
    errors_.root = name;
    TypeRef root;
    root.type = FieldType::kRef;
    root.ref = &type;
    CborObjectRead result;
    read_item(root, {}, 0, result.value);
    if (result.value.is_null()) result.value = Value::object(items_.arena());
    if (strict_ && errors_.unknown_field) {
      result.unknown_field = std::move(errors_.text);
    } else {
      result.error = errors_.any() ? std::move(errors_.text) : std::move(raw_error_);
    }
    return result;
  }

 private:
  // Takes a null; Go sets a pointer to nil whatever the type.
  bool take_nil() {
    if (!items_.next_is(cbor::kNull) && !items_.next_is(cbor::kUndefined)) return false;
    items_.head();
    return true;
  }

  bool read_field(const Field& field, std::uint64_t later, Value& out) {
    if (field.pointer && take_nil()) {
      out = Value::null();
      return true;
    }
    return read_item(field.type, field.go_type, later, out);
  }

  // Reads one item. Returns false if it has the wrong type; `out` is then unset. The item is
  // consumed in any case.
  bool read_item(const TypeRef& type, std::string_view go, std::uint64_t later, Value& out) {
    out = Value::null();
    if (encodes_itself(type.type)) return read_special(type, out);
    if (!items_.tags(later, Items::Times::kPass)) return false;
    if (items_.next_is(cbor::kNull)) {
      items_.head();
      return true;
    }
    const Major next = items_.next();
    switch (type.type) {
      case FieldType::kRef:
        if (next == Major::kMap) return read_struct(*type.ref, later, out);
        return items_.mismatch(schema::go_type_name(type, go),
                               next == Major::kArray
                                   ? "cannot decode CBOR array to struct without toarray option"
                                   : "");
      case FieldType::kArray:
        if (next == Major::kArray) return read_list(type, go, later, out);
        return items_.mismatch(schema::go_type_name(type, go));
      case FieldType::kMap:
        if (next == Major::kMap) return read_map(type, go, later, out);
        return items_.mismatch(schema::go_type_name(type, go));
      case FieldType::kBoolean:
        return read_boolean(out);
      case FieldType::kInt32:
        return read_integer(std::numeric_limits<std::int32_t>::min(),
                            std::numeric_limits<std::int32_t>::max(), "int32", out);
      case FieldType::kInt64:
        return read_integer(std::numeric_limits<std::int64_t>::min(), kLargestInt, "int64", out);
      case FieldType::kNumber:
        return read_number(out);
      case FieldType::kBytes:
        return read_bytes(later, out);
      case FieldType::kAny:
        return cbor::read_value(items_, out);
      default:
        return read_string(go.empty() ? std::string_view("string") : go, later, out);
    }
  }

  // Returns true for types with their own UnmarshalCBOR.
  static bool encodes_itself(FieldType type) {
    switch (type) {
      case FieldType::kQuantity:
      case FieldType::kIntOrString:
      case FieldType::kTime:
      case FieldType::kMicroTime:
      case FieldType::kRawExtension:
      case FieldType::kFieldsV1:
      case FieldType::kJson:
      case FieldType::kSchemaOrBool:
      case FieldType::kSchemaOrArray:
      case FieldType::kSchemaOrStringArray:
        return true;
      default:
        return false;
    }
  }

  bool read_special(const TypeRef& type, Value& out) {
    switch (type.type) {
      case FieldType::kRawExtension:
      case FieldType::kFieldsV1:
        return read_raw(type.type, out);
      case FieldType::kJson:
        return cbor::read_value(items_, out);
      case FieldType::kIntOrString:
        return read_int_or_string(out);
      case FieldType::kQuantity:
      case FieldType::kTime:
      case FieldType::kMicroTime:
        return take_nil() || read_text_form(type.type, out);
      default:
        return read_union(type, out);
    }
  }

  // Reads a CBOR string and parses it as its type requires.
  bool read_text_form(FieldType type, Value& out) {
    Value text;
    if (!read_string("string", 0, text)) return false;
    schema::LeafError error;
    if (schema::decode_leaf(type, {}, text, items_.arena(), out, error)) return true;
    items_.errors().note(std::move(error.message));
    return false;
  }

  bool read_string(std::string_view go, std::uint64_t later, Value& out) {
    std::string_view text;
    if (!items_.string(go, later, text)) return false;
    out = Value::string(text);
    return true;
  }

  bool read_int_or_string(Value& out) {
    std::uint64_t later = 0;
    if (!items_.tags(later, Items::Times::kPass)) return false;
    const Major next = items_.next();
    if (next == Major::kText || next == Major::kBytes || items_.next_is(cbor::kNull)) {
      return read_string("string", later, out);
    }
    return read_integer(std::numeric_limits<std::int32_t>::min(),
                        std::numeric_limits<std::int32_t>::max(), "int32", out);
  }

  bool read_boolean(Value& out) {
    const bool yes = items_.next_is(cbor::kTrue);
    if (!yes && !items_.next_is(cbor::kFalse)) return items_.mismatch("bool");
    items_.head();
    out = Value::boolean(yes);
    return true;
  }

  bool read_integer(std::int64_t low, std::int64_t high, std::string_view go, Value& out) {
    if (items_.next() != Major::kUnsigned && items_.next() != Major::kNegative) {
      return items_.mismatch(go);
    }
    const Head head = items_.head();
    const bool negative = head.major == Major::kNegative;
    const auto value = static_cast<std::int64_t>(negative ? ~head.value : head.value);
    if (head.value <= kLargestInt && value >= low && value <= high) {
      out = Value::integer(value);
      return true;
    }
    const std::string text =
        negative ? cbor::negative_text(head.value) : std::to_string(head.value);
    return items_.number_mismatch(head, go, text + " overflows " + std::string(go));
  }

  bool read_number(Value& out) {
    const Major next = items_.next();
    const bool real =
        next == Major::kPrimitive && !items_.next_is(cbor::kTrue) && !items_.next_is(cbor::kFalse);
    if (next != Major::kUnsigned && next != Major::kNegative && !real) {
      return items_.mismatch("float64");
    }
    const Head head = items_.head();
    if (real && head.info < cbor::kHalf) return items_.number_mismatch(head, "float64");
    if (next == Major::kNegative && head.value > kLargestInt) {
      return items_.number_mismatch(head, "float64");
    }
    if (real) {
      out = Value::number(items_.arena(), head.real);
    } else if (head.value > kLargestInt) {
      out = Value::number(items_.arena(), static_cast<double>(head.value));
    } else {
      out = Value::integer(
          static_cast<std::int64_t>(next == Major::kNegative ? ~head.value : head.value));
    }
    return true;
  }

  // A byte string contains base64 text, unless a tag announces that it will be encoded as such.
  bool read_bytes(std::uint64_t later, Value& out) {
    if (items_.next() == Major::kArray) return read_byte_list(out);
    if (items_.next() != Major::kBytes) return items_.mismatch("[]uint8");
    std::string_view bytes;
    items_.bytes(bytes);
    if (later != 0) {
      out = Value::string(items_.arena().copy(base64_encode(bytes)));
      return true;
    }
    const Base64Text checked = check_base64(bytes);
    out = Value::string(bytes);
    if (!checked.error_at) return true;
    items_.errors().note(
        "cbor: failed to decode base64 from byte string: illegal base64 data at input byte " +
        std::to_string(*checked.error_at));
    return false;
  }

  bool read_byte_list(Value& out) {
    TypeRef byte;
    byte.type = FieldType::kInt32;
    std::string bytes;
    const Head head = items_.head();
    bool read = true;
    for (std::uint64_t i = 0; head.indefinite() ? !items_.take_break() : i < head.value; ++i) {
      std::uint64_t later = 0;
      if (!items_.tags(later, Items::Times::kPass)) {
        read = false;
      } else if (items_.next_is(cbor::kNull)) {
        items_.head();
        bytes += '\0';
      } else {
        Value value;
        const bool fits = items_.next() == Major::kNegative ? items_.mismatch("uint8")
                                                            : read_integer(0, 255, "uint8", value);
        if (fits) bytes += static_cast<char>(value.as_int());
        read = read && fits;
      }
    }
    out = Value::string(items_.arena().copy(base64_encode(bytes)));
    return read;
  }

  // Go stores the raw item and converts it to JSON after the object has been read, so its errors
  // rank last.
  bool read_raw(FieldType type, Value& out) {
    cbor::ReadErrors errors;
    cbor::ReadErrors& outer = items_.exchange_errors(errors);
    bool object = true;
    if (type == FieldType::kFieldsV1) {
      std::uint64_t later = 0;
      object = items_.tags(later, Items::Times::kStop) && items_.next() == Major::kMap;
    }
    if (object) {
      if (!cbor::read_value(items_, out)) out = Value::null();
    } else if (!errors.any()) {
      items_.skip();
    }
    items_.exchange_errors(outer);
    if (!errors.any() || !raw_error_.empty()) return true;
    raw_error_ = type == FieldType::kFieldsV1
                     ? "failed to transcode FieldsV1 to JSON: metav1.FieldsV1 cbor invalid: "
                     : "failed to transcode RawExtension to JSON: failed to parse RawExtension "
                       "bytes as CBOR: ";
    raw_error_ += errors.text;
    return true;
  }

  // Reads a JSONSchemaProps or one of its simpler alternatives, in which unknown fields are always
  // errors.
  bool read_union(const TypeRef& type, Value& out) {
    std::uint64_t later = 0;
    TypeRef props;
    props.type = FieldType::kRef;
    props.ref = type.ref;
    TypeRef list;
    list.type = FieldType::kArray;
    list.element = &props;
    const Major next = items_.next();
    const bool was_strict = std::exchange(strict_, true);
    bool read = true;
    if (next == Major::kMap) {
      read = read_item(props, {}, later, out);
    } else if (type.type == FieldType::kSchemaOrBool) {
      read = items_.next_is(cbor::kTrue) || items_.next_is(cbor::kFalse) ? read_boolean(out)
                                                                         : no_schema_or_bool();
    } else if (next == Major::kArray) {
      if (type.type == FieldType::kSchemaOrStringArray) props.type = FieldType::kString;
      read = read_list(list, {}, later, out);
    } else {
      items_.skip();
    }
    strict_ = was_strict;
    return read;
  }

  bool no_schema_or_bool() {
    items_.skip();
    items_.errors().note("boolean or JSON schema expected");
    return false;
  }

  bool read_list(const TypeRef& type, std::string_view go, std::uint64_t later, Value& out) {
    const Head head = items_.head();
    const std::size_t first = entries_.size();
    const std::string_view element_go = schema::go_element_name(go);
    bool read = true;
    for (std::uint64_t i = 0; head.indefinite() ? !items_.take_break() : i < head.value; ++i) {
      Value value;
      if (read_item(*type.element, element_go, later, value)) {
        entries_.push_back({{}, 0, value});
      } else {
        read = false;
      }
    }
    out = cbor::close_array(entries_, first, items_.arena());
    return read;
  }

  bool read_map(const TypeRef& type, std::string_view go, std::uint64_t later, Value& out) {
    const Head head = items_.head();
    const bool errors_before = errors_.any();
    const std::size_t first = entries_.size();
    const std::string_view element_go = schema::go_element_name(go);
    const std::string_view key_go = schema::go_key_name(go);
    bool read = true;
    for (std::uint32_t i = 0; head.indefinite() ? !items_.take_break() : i < head.value; ++i) {
      Entry entry{{}, i, {}};
      if (!items_.string(key_go, later, entry.key)) {
        items_.skip();
        read = false;
      } else if (read_item(*type.element, element_go, later, entry.value)) {
        entries_.push_back(entry);
      } else {
        read = false;
      }
    }
    return cbor::close_map(entries_, first, errors_before, items_, out) && read;
  }

  bool read_struct(const Type& type, std::uint64_t later, Value& out) {
    if (++depth_ > kDeepest) {
      items_.skip();
      items_.errors().note("exceeded max depth");
      --depth_;
      return false;
    }
    StructEntries entries{items_.head(), errors_.any(), schema::FieldCursor(type), 0, 0, {}};
    out = Value::object(items_.arena());
    bool read = true;
    while (entries.index < entries.head.value || entries.head.indefinite()) {
      if (entries.head.indefinite() && items_.take_break()) break;
      const int position = next_field(entries, read);
      if (position == kEndOfMap) break;
      if (position >= 0) {
        const Field& field = *type.flattened[static_cast<std::size_t>(position)];
        if (depth_ == 1) errors_.field = field.name;
        Value value;
        const bool fits = read_field(field, later, value);
        if (fits) out.append(items_.arena(), field.name, value);
        if (depth_ == 1) errors_.field = {};
        read = read && fits;
      }
      ++entries.index;
    }
    if (const auto repeated = entries.unknown.repeated()) {
      errors_.replace(entries.errors_before, *repeated);
      read = false;
    }
    --depth_;
    return read;
  }

  // The state of reading a struct's map.
  struct StructEntries {
    Head head;
    bool errors_before;
    schema::FieldCursor cursor;
    std::uint64_t seen;  // bits of the type's fields
    std::size_t index;
    UnknownKeys unknown;
  };
  static constexpr int kNoField = -1, kEndOfMap = -2;

  // Reads a key and returns the index of its field, or skips the value of an unknown key and
  // returns kNoField. Returns kEndOfMap after an error that makes Go skip the rest of the map.
  int next_field(StructEntries& entries, bool& read) {
    const Major major = items_.next();
    std::string_view key;
    std::string other;
    if (major == Major::kText || major == Major::kBytes) {
      if (!items_.bytes(key)) return skip_value(read);
      const int position = entries.cursor.find(key);
      const std::uint64_t bit = position < 0 ? 0 : std::uint64_t{1} << position;
      if ((entries.seen & bit) != 0) {
        end_map(entries,
                entries.unknown.repeated().value_or(cbor::duplicate_key(key, entries.index)));
        read = false;
        return kEndOfMap;
      }
      entries.seen |= bit;
      if (position >= 0) return position;
      other = "s" + std::string(key);
    } else if (!other_key(other)) {
      return skip_value(read);
    }
    if (strict_) {
      const bool first = !entries.errors_before;
      end_map(entries,
              "cbor: found unknown field at map element index " + std::to_string(entries.index));
      errors_.unknown_field = errors_.unknown_field || first;
      read = false;
      return kEndOfMap;
    }
    entries.unknown.add(std::move(other), entries.index);
    items_.skip();
    return kNoField;
  }

  int skip_value(bool& read) {
    items_.skip();
    read = false;
    return kNoField;
  }

  // Reads a key that is not a string: numbers are unknown fields, other types are also an error.
  bool other_key(std::string& text) {
    const Major major = items_.next();
    if (major == Major::kUnsigned || major == Major::kNegative) {
      const Head head = items_.head();
      if (major == Major::kNegative && head.value > kLargestInt) {
        errors_.mismatch(major, "int64",
                         "-1-" + std::to_string(head.value) + " overflows Go's int64");
        return false;
      }
      const std::uint64_t bits = major == Major::kNegative ? ~head.value : head.value;
      text = "n" + std::to_string(static_cast<std::int64_t>(bits));
      return true;
    }
    const std::string name(cbor::name_of(major));
    errors_.mismatch(
        major, "string",
        "map key is of type " + name + " and cannot be used to match struct field name");
    Value key;
    if (!cbor::read_value(items_, key) || key.is_array() || key.is_object()) return false;
    text = key.is_string() ? "s" + std::string(key.as_string()) : "n" + go_syntax(key);
    return true;
  }

  // Formats a key like Go's %#v.
  static std::string go_syntax(const Value& key) {
    if (key.is_bool()) return key.as_bool() ? "true" : "false";
    if (key.is_int()) return std::to_string(key.as_int());
    if (key.is_double()) return go_json_float(key.as_double());
    return "interface {}(nil)";
  }

  // Skips to the end of the map; the last key read has no value yet.
  void end_map(StructEntries& entries, std::string error) {
    errors_.replace(entries.errors_before, std::move(error));
    entries.unknown = {};
    items_.skip();
    for (++entries.index;
         entries.head.indefinite() ? !items_.take_break() : entries.index < entries.head.value;
         ++entries.index) {
      items_.skip();
      items_.skip();
    }
  }

  cbor::ReadErrors errors_;
  Items items_;
  bool strict_;
  int depth_ = 0;
  std::string raw_error_;
  std::vector<Entry> entries_;
};

CborRead read_item(std::string_view bytes, Arena& arena, bool map_only) {
  CborRead result;
  std::vector<Head> heads;
  result.error = cbor::wellformed_error(bytes, heads);
  if (!result.ok()) return result;
  cbor::ReadErrors errors;
  Items items(heads, arena, errors);
  std::uint64_t later = 0;
  if (!map_only) {
    cbor::read_value(items, result.value);
  } else if (items.tags(later, Items::Times::kPass)) {
    if (items.next() == Major::kMap || items.next_is(cbor::kNull)) {
      cbor::read_value(items, result.value);
      if (result.value.is_null()) result.value = Value::object(arena);
    } else {
      items.mismatch("map[string]interface {}");
    }
  }
  result.error = std::move(errors.text);
  return result;
}

}  // namespace

CborRead read_cbor(std::string_view bytes, Arena& arena) { return read_item(bytes, arena, false); }

CborRead read_cbor_map(std::string_view bytes, Arena& arena) {
  return read_item(bytes, arena, true);
}

CborTypeMeta read_cbor_type_meta(const schema::Catalogue& catalogue, std::string_view bytes,
                                 Arena& arena) {
  CborTypeMeta result;
  std::vector<Head> heads;
  result.error = cbor::wellformed_error(bytes, heads);
  if (!result.error.empty()) return result;
  const Type* type = catalogue.find_type("io.k8s.apimachinery.pkg.apis.meta.v1.TypeMeta");
  CborObjectRead read = ObjectReader(heads, false, arena).read(*type);
  result.api_version = read.value.string_at("apiVersion");
  result.kind = read.value.string_at("kind");
  result.error = std::move(read.error);
  return result;
}

CborObjectRead read_cbor_object(const Type& type, std::string_view bytes, bool strict,
                                Arena& arena) {
  std::vector<Head> heads;
  std::string error = cbor::wellformed_error(bytes, heads);
  if (!error.empty()) return {{}, std::move(error), {}};
  CborObjectRead read = ObjectReader(heads, strict, arena).read(type);
  if (read.unknown_field.empty()) return read;
  // Reads again without strictness, to find other errors.
  CborObjectRead lax = ObjectReader(heads, false, arena).read(type);
  lax.unknown_field = std::move(read.unknown_field);
  return lax;
}

}  // namespace tabernetes::codec
