// ASN.1 in DER, read by mbedTLS from the front of a text, and as strict as Go's
// golang.org/x/crypto/cryptobyte: lengths in their shortest form, low tags only.
#pragma once

#include <optional>
#include <string_view>

namespace tabernetes::der {

constexpr unsigned char kBoolean = 1, kInteger = 2, kBits = 3, kOctets = 4, kOid = 6,
                        kUtcTime = 0x17, kGeneralizedTime = 0x18, kSequence = 0x30, kSet = 0x31;

struct Element {
  unsigned char tag = 0;
  std::string_view contents;
  std::string_view whole;  // with tag and length
};

// What comes next; `rest` loses it. Nothing, and `rest` stays, if it is malformed or cut off.
std::optional<Element> take_any(std::string_view& rest);

// The contents of what comes next, if it has that tag.
std::optional<std::string_view> take(std::string_view& rest, unsigned char tag);

inline bool comes(std::string_view rest, unsigned char tag) {
  return !rest.empty() && static_cast<unsigned char>(rest[0]) == tag;
}

}  // namespace tabernetes::der
