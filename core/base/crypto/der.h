// A reader of ASN.1 DER on top of mbedTLS, as strict as Go's golang.org/x/crypto/cryptobyte:
// shortest lengths and low tag numbers only.
#pragma once

#include <optional>
#include <string_view>

namespace tabernetes::der {

constexpr unsigned char kBoolean = 1, kInteger = 2, kBits = 3, kOctets = 4, kOid = 6,
                        kUtcTime = 0x17, kGeneralizedTime = 0x18, kSequence = 0x30, kSet = 0x31;

struct Element {
  unsigned char tag = 0;
  std::string_view contents;
  std::string_view whole;  // including tag and length
};

// Removes the first element from `rest` and returns it. Returns nullopt and leaves `rest` unchanged
// if the element is malformed or truncated.
std::optional<Element> take_any(std::string_view& rest);

// Like take_any(), but returns the contents and requires `tag`.
std::optional<std::string_view> take(std::string_view& rest, unsigned char tag);

inline bool comes(std::string_view rest, unsigned char tag) {
  return !rest.empty() && static_cast<unsigned char>(rest[0]) == tag;
}

}  // namespace tabernetes::der
