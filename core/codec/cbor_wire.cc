// Adapts libcbor's stream decoder, which has a callback for each kind of item: they fill in a Head.
#include "codec/cbor_wire.h"

#include <cmath>
#include <limits>

#include "cbor/encoding.h"
#include "cbor/streaming.h"

namespace tabernetes::codec::cbor {
namespace {

template <class T>
void on_number(void* head, T value) {
  static_cast<Head*>(head)->value = value;
}
template <class T>
void on_float(void* head, T value) {
  static_cast<Head*>(head)->real = static_cast<double>(value);
}
void on_string(void* head, cbor_data bytes, std::uint64_t size) {
  Head& string = *static_cast<Head*>(head);
  string.value = size;
  string.bytes = reinterpret_cast<const char*>(bytes);
}
void on_bool(void*, bool) {}
void on_simple(void*) {}

// In the order of the struct, as C++20 requires of designated initialisers.
constexpr cbor_callbacks kCallbacks = {
    .uint8 = on_number<std::uint8_t>,
    .uint16 = on_number<std::uint16_t>,
    .uint32 = on_number<std::uint32_t>,
    .uint64 = on_number<std::uint64_t>,
    .negint64 = on_number<std::uint64_t>,
    .negint32 = on_number<std::uint32_t>,
    .negint16 = on_number<std::uint16_t>,
    .negint8 = on_number<std::uint8_t>,
    .byte_string_start = on_simple,
    .byte_string = on_string,
    .string = on_string,
    .string_start = on_simple,
    .indef_array_start = on_simple,
    .array_start = on_number<std::uint64_t>,
    .indef_map_start = on_simple,
    .map_start = on_number<std::uint64_t>,
    .tag = on_number<std::uint64_t>,
    .float2 = on_float<float>,
    .float4 = on_float<float>,
    .float8 = on_float<double>,
    .undefined = on_simple,
    .null = on_simple,
    .boolean = on_bool,
    .indef_break = on_simple,
};

struct Decoded {
  cbor_decoder_status status;
  std::size_t size;
};

Decoded decode(std::string_view bytes, Head& head) {
  const cbor_decoder_result result = cbor_stream_decode(reinterpret_cast<cbor_data>(bytes.data()),
                                                        bytes.size(), &kCallbacks, &head);
  return {result.status, result.read};
}

bool is_string(Major major) { return major == Major::kBytes || major == Major::kText; }

// Reads the length of a string by decoding its head as that of a number: libcbor reads lengths as
// size_t, which may be narrower.
Decoded decode_length(std::string_view bytes, Head& head) {
  std::string number(bytes.substr(0, 9));
  number[0] = static_cast<char>(number[0] & 31);
  return decode(number, head);
}

// Reads an unassigned simple value: libcbor rejects it, fxamacker/cbor reads on.
HeadFault take_simple(std::string_view& rest, Head& head) {
  const std::size_t size = head.info == 24 ? 2 : 1;
  if (rest.size() < size) return HeadFault::kCutOff;
  head.value = size == 2 ? static_cast<unsigned char>(rest[1]) : head.info;
  rest.remove_prefix(size);
  return HeadFault::kNone;
}

HeadFault take_string(std::string_view& rest, Head& head) {
  const Decoded length = decode_length(rest, head);
  if (length.status != CBOR_DECODER_FINISHED) return HeadFault::kCutOff;
  if (head.value > rest.size() - length.size) return HeadFault::kCutOff;
  head.bytes = rest.data() + length.size;
  rest.remove_prefix(length.size + head.text().size());
  return HeadFault::kNone;
}

using Encoded = unsigned char[9];

void append(const Encoded& bytes, std::size_t size, std::string& out) {
  out.append(reinterpret_cast<const char*>(bytes), size);
}

// Returns whether the bytes encode exactly the float `value`.
bool holds(const Encoded& bytes, std::size_t size, double value) {
  Head head;
  decode({reinterpret_cast<const char*>(bytes), size}, head);
  return head.real == value;
}

}  // namespace

std::string_view name_of(Major major) {
  constexpr std::string_view kNames[] = {"positive integer",
                                         "negative integer",
                                         "byte string",
                                         "UTF-8 text string",
                                         "array",
                                         "map",
                                         "tag",
                                         "primitives"};
  return kNames[static_cast<std::size_t>(major)];
}

HeadFault take_head(std::string_view& rest, Head& head) {
  head = {};
  head.major = major_of(rest[0]);
  head.info = info_of(rest[0]);
  if (head.major == Major::kPrimitive) head.value = head.info;
  if (is_string(head.major) && head.info == 27) return take_string(rest, head);
  if (head.major == Major::kPrimitive && (head.info < kFalse || head.info == 24)) {
    return take_simple(rest, head);
  }
  const Decoded decoded = decode(rest, head);
  if (decoded.status == CBOR_DECODER_ERROR) return HeadFault::kReserved;
  if (decoded.status == CBOR_DECODER_NEDATA) return HeadFault::kCutOff;
  rest.remove_prefix(decoded.size);
  return HeadFault::kNone;
}

void write_head(Major major, std::uint64_t value, std::string& out) {
  Encoded bytes;
  const auto count = static_cast<std::size_t>(value);
  switch (major) {
    case Major::kUnsigned:
      return append(bytes, cbor_encode_uint(value, bytes, sizeof bytes), out);
    case Major::kNegative:
      return append(bytes, cbor_encode_negint(value, bytes, sizeof bytes), out);
    case Major::kBytes:
      return append(bytes, cbor_encode_bytestring_start(count, bytes, sizeof bytes), out);
    case Major::kText:
      return append(bytes, cbor_encode_string_start(count, bytes, sizeof bytes), out);
    case Major::kArray:
      return append(bytes, cbor_encode_array_start(count, bytes, sizeof bytes), out);
    case Major::kMap:
      return append(bytes, cbor_encode_map_start(count, bytes, sizeof bytes), out);
    case Major::kTag:
      return append(bytes, cbor_encode_tag(value, bytes, sizeof bytes), out);
    case Major::kPrimitive:
      return;
  }
}

void write_boolean(bool value, std::string& out) {
  Encoded bytes;
  append(bytes, cbor_encode_bool(value, bytes, sizeof bytes), out);
}

void write_null(std::string& out) {
  Encoded bytes;
  append(bytes, cbor_encode_null(bytes, sizeof bytes), out);
}

void write_float(double value, std::string& out) {
  constexpr double kLargestHalf = 65504;
  Encoded bytes;
  std::size_t size = 0;
  if (std::abs(value) <= std::numeric_limits<float>::max()) {
    const auto single = static_cast<float>(value);
    if (std::abs(value) <= kLargestHalf) size = cbor_encode_half(single, bytes, sizeof bytes);
    if (size == 0 || !holds(bytes, size, value)) {
      size = cbor_encode_single(single, bytes, sizeof bytes);
    }
    if (holds(bytes, size, value)) return append(bytes, size, out);
  }
  append(bytes, cbor_encode_double(value, bytes, sizeof bytes), out);
}

}  // namespace tabernetes::codec::cbor
