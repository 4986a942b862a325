#include "base/crypto/der.h"

#include "mbedtls/asn1.h"
#include "mbedtls/asn1write.h"

namespace tabernetes::der {
namespace {

// Returns the number of bytes that the shortest encoding of a length takes.
std::size_t shortest_length(std::size_t size) {
  unsigned char buffer[8];
  unsigned char* at = buffer + sizeof buffer;
  return static_cast<std::size_t>(mbedtls_asn1_write_len(&at, buffer, size));
}

}  // namespace

std::optional<Element> take_any(std::string_view& rest) {
  if (rest.empty()) return std::nullopt;
  const auto tag = static_cast<unsigned char>(rest[0]);
  if ((tag & MBEDTLS_ASN1_TAG_VALUE_MASK) == MBEDTLS_ASN1_TAG_VALUE_MASK) return std::nullopt;
  // mbedTLS takes non-const pointers but does not write.
  auto* const begin = reinterpret_cast<unsigned char*>(const_cast<char*>(rest.data()));
  unsigned char* at = begin + 1;
  std::size_t size = 0;
  if (mbedtls_asn1_get_len(&at, begin + rest.size(), &size) != 0) return std::nullopt;
  const auto head = static_cast<std::size_t>(at - begin);
  if (head != 1 + shortest_length(size)) return std::nullopt;
  const Element element{tag, rest.substr(head, size), rest.substr(0, head + size)};
  rest.remove_prefix(head + size);
  return element;
}

std::optional<std::string_view> take(std::string_view& rest, unsigned char tag) {
  if (!comes(rest, tag)) return std::nullopt;
  const std::optional<Element> element = take_any(rest);
  if (!element) return std::nullopt;
  return element->contents;
}

}  // namespace tabernetes::der
