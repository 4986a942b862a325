#include "random_object.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "base/text/base64.h"
#include "base/time/rfc3339.h"

namespace tabernetes::property {
namespace {

using json::Arena;
using json::Value;
using schema::Emit;
using schema::Field;
using schema::FieldType;
using schema::Type;
using schema::TypeRef;

constexpr int kDeepest = 12;

// Texts that YAML reads as something else or must quote, that JSON escapes, that span lines.
constexpr std::array kStrings = std::to_array<std::string_view>({
    "",
    "a",
    "web-0",
    "yes",
    "No",
    "on",
    "n",
    "null",
    "~",
    "true",
    "False",
    "1",
    "-1",
    "0x1F",
    "0o17",
    "017",
    "08",
    "1e3",
    "1.5",
    ".5",
    "1_000",
    "0b11",
    ".inf",
    "-.INF",
    ".nan",
    "2001-01-01",
    "2001-01-01T00:00:00Z",
    "12:30:45",
    "a: b",
    "a:",
    ":a",
    "- a",
    "-",
    "---",
    "...",
    "? a",
    "#a",
    "a #b",
    "@a",
    "`a",
    "%a",
    "!a",
    "&a",
    "*a",
    "|",
    ">",
    "{a",
    "}",
    "[a",
    "]",
    ",a",
    "'a'",
    "\"a\"",
    "it's",
    "=",
    "<<",
    "a\nb",
    "a\nb\n",
    "\n",
    "\na",
    " a\nb",
    "a \nb",
    "a\n\n\nb",
    " a",
    "a ",
    "\ta",
    "a\tb",
    "a\rb",
    "\u2028",
    "\u2029a",
    "\u00e9",
    "\u65e5\u672c\u8a9e",
    "\U0001F600",
    "\ufeffa",
    "<&>",
    "a\\b",
    "a\"b",
    "\x01",
    "\x1b[0m",
    "\ufffd",
    "\U0010FFFF",
    "a text with many words that goes on until it has to be folded at the eightieth column, or so",
    "\"a text with many words that goes on until it has to be folded at the eightieth column\\",
    "one line that is long enough to be folded but stands before another, so that it is not\nb\n",
});

constexpr std::array kIntegers = std::to_array<std::int64_t>(
    {0, 1, -1, 127, 128, 255, 300, 65536, std::numeric_limits<std::int32_t>::max(),
     std::numeric_limits<std::int32_t>::min()});
constexpr std::array kLongIntegers = std::to_array<std::int64_t>(
    {std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min(),
     std::int64_t{1} << 53, (std::int64_t{1} << 53) + 1, std::int64_t{1} << 32});

constexpr std::array kFloats = std::to_array<double>(
    {0.5, -1.25, 1e-6, 1e-7, 1e20, 1e21, 5e-324, 1.7976931348623157e308, 123456.789, 0.1, 1.0 / 3,
     9223372036854775808.0, 18446744073709551616.0, 1e15 + 0.5});

// Canonical quantities, which the typed form keeps unchanged.
constexpr std::array kQuantities =
    std::to_array<std::string_view>({"0", "1", "100m", "1500m", "2Gi", "1025Mi", "12e6", "1k", "5G",
                                     "-3", "1n", "250u", "9223372036854775807", "1Ei", "7e-9"});

class Generator {
 public:
  // Protobuf does not distinguish an empty list from a missing one, which shows where JSON is
  // stored.
  enum class EmptyLists { kSome, kNone };

  Generator(std::size_t size, EmptyLists empty_lists, Entropy& entropy, Arena& arena)
      : left_(size),
        shortest_list_(empty_lists == EmptyLists::kSome ? 0 : 1),
        entropy_(entropy),
        arena_(arena) {}

  Value object(const Type& type, int depth) {
    Value out = Value::object(arena_);
    // Picks a share of the fields.
    const std::uint64_t of = 1 + static_cast<std::uint64_t>(depth) / 2;
    for (const Field* field : type.json_fields()) {
      if (field->type_meta) continue;
      const bool wanted = left_ > 0 && entropy_.below(of + 1) == 0;
      if (wanted) out.append(arena_, field->name, value(field->type, depth + 1));
    }
    return out;
  }

 private:
  template <typename Array>
  auto one_of(const Array& array) {
    return array[static_cast<std::size_t>(entropy_.below(array.size()))];
  }

  bool chance(std::uint64_t of) { return entropy_.below(of) == 0; }

  std::string_view text() {
    if (chance(2)) return one_of(kStrings);
    std::string out;
    for (std::uint64_t count = 1 + entropy_.below(12); count > 0; --count) {
      constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyz0123456789-./: ";
      out += kPlain[static_cast<std::size_t>(entropy_.below(kPlain.size()))];
    }
    return arena_.copy(out);
  }

  Value integer(bool is_long) {
    if (is_long && chance(3)) return Value::integer(one_of(kLongIntegers));
    if (chance(2)) return Value::integer(one_of(kIntegers));
    return Value::integer(static_cast<std::int32_t>(entropy_.next() >> (32 + entropy_.below(32))));
  }

  Value number() {
    double real = one_of(kFloats);
    const std::uint64_t bits = entropy_.next();
    if (chance(2)) std::memcpy(&real, &bits, sizeof real);
    return Value::number(arena_, std::isfinite(real) ? real : 2.5);
  }

  Value bytes() {
    std::string out;
    for (std::uint64_t count = entropy_.below(12); count > 0; --count) {
      out += static_cast<char>(entropy_.below(256));
    }
    return Value::string(arena_.copy(base64_encode(out)));
  }

  Value time(Fraction fraction) {
    UnixTime time{static_cast<std::int64_t>(entropy_.below(4'000'000'000)), 0};
    if (chance(8)) time.seconds = 253'402'300'799;  // the end of year 9999
    if (chance(8)) time.seconds = -62'135'596'799;  // a second after Go's zero
    if (fraction == Fraction::kMicroseconds) {
      time.nanoseconds = static_cast<std::int32_t>(entropy_.below(1'000'000)) * 1000;
    }
    return Value::string(arena_.copy(format_unix(time, fraction)));
  }

  // Writes keys in order, as all encodings but JSON and protobuf do.
  template <typename Make>
  Value map(Make make) {
    Value out = Value::object(arena_);
    for (std::uint64_t count = entropy_.below(4); count > 0; --count) {
      const std::string_view key = text();
      // The real server writes a key `<<` plain and cannot read it back.
      if (key != "<<") out.set(arena_, key, make());
    }
    out.sort_members();
    return out;
  }

  template <typename Make>
  Value list(Make make) {
    Value out = Value::array(arena_);
    for (std::uint64_t count = shortest_list_ + entropy_.below(3); count > 0; --count) {
      out.push_back(arena_, make());
    }
    return out;
  }

  Value any(int depth) {
    switch (entropy_.below(depth > kDeepest ? 5 : 7)) {
      case 0:
        return Value::null();
      case 1:
        return Value::boolean(chance(2));
      case 2:
        return integer(/*is_long=*/true);
      case 3:
        return number();
      case 4:
        return Value::string(text());
      case 5:
        return list([&] { return any(depth + 1); });
      default:
        return map([&] { return any(depth + 1); });
    }
  }

  Value schema_or(const TypeRef& type, int depth) {
    const bool is_schema = depth < kDeepest && chance(2);
    if (is_schema) return object(*type.ref, depth + 2);
    if (type.type == FieldType::kSchemaOrBool) return Value::boolean(chance(2));
    Value out = Value::array(arena_);
    for (std::uint64_t count = 1 + entropy_.below(2); count > 0; --count) {
      out.push_back(arena_, type.type == FieldType::kSchemaOrStringArray
                                ? Value::string(text())
                                : object(*type.ref, kDeepest));
    }
    return out;
  }

  Value value(const TypeRef& type, int depth) {
    if (left_ > 0) --left_;
    switch (type.type) {
      case FieldType::kBoolean:
        return Value::boolean(chance(2));
      case FieldType::kInt32:
        return integer(/*is_long=*/false);
      case FieldType::kInt64:
        return integer(/*is_long=*/true);
      case FieldType::kNumber:
        return number();
      case FieldType::kBytes:
        return bytes();
      case FieldType::kArray:
        return list([&] { return value(*type.element, depth + 1); });
      case FieldType::kMap:
        return map([&] { return value(*type.element, depth + 1); });
      case FieldType::kRef:
        return depth > kDeepest ? Value::object(arena_) : object(*type.ref, depth);
      case FieldType::kQuantity:
        return Value::string(one_of(kQuantities));
      case FieldType::kIntOrString:
        return chance(2) ? Value::string(text()) : integer(/*is_long=*/false);
      case FieldType::kTime:
        return time(Fraction::kNone);
      case FieldType::kMicroTime:
        return time(Fraction::kMicroseconds);
      case FieldType::kDuration:
        return Value::string("1m0s");
      case FieldType::kFieldsV1:
      case FieldType::kRawExtension:
        return map([&] { return any(depth + 1); });
      case FieldType::kAny:
      case FieldType::kJson:
        return any(depth);
      case FieldType::kSchemaOrBool:
      case FieldType::kSchemaOrArray:
      case FieldType::kSchemaOrStringArray:
        return schema_or(type, depth);
      case FieldType::kString:
        break;
    }
    return Value::string(text());
  }

  std::size_t left_;
  std::uint64_t shortest_list_;
  Entropy& entropy_;
  Arena& arena_;
};

}  // namespace

json::Value random_object(const Type& type, std::size_t size, Entropy& entropy, Arena& arena) {
  const bool stored_as_protobuf = type.name.starts_with("io.k8s.api.");
  const auto empty_lists =
      stored_as_protobuf ? Generator::EmptyLists::kSome : Generator::EmptyLists::kNone;
  return Generator(size, empty_lists, entropy, arena).object(type, 0);
}

}  // namespace tabernetes::property
