#include "base/net/ip_address.h"

#include <algorithm>
#include <cstddef>

#include "base/text/ascii.h"

namespace tabernetes {
namespace {

constexpr std::size_t kV4 = 12;  // offset of the four bytes of an IPv4 address

// Parses a number of digits only, up to `max`.
std::optional<unsigned> decimal(std::string_view text, unsigned max) {
  unsigned value = 0;
  if (text.empty()) return std::nullopt;
  for (const char c : text) {
    if (!is_digit(c)) return std::nullopt;
    value = value * 10 + static_cast<unsigned>(c - '0');
    if (value > max) return std::nullopt;
  }
  return value;
}

bool parse_v4(std::string_view text, IpAddress& address) {
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t dot = text.find('.');
    if ((dot == std::string_view::npos) != (i == 3)) return false;
    const std::string_view part = text.substr(0, dot);
    const auto value = decimal(part, 255);
    if (!value) return false;
    if (part.size() > 1 && part[0] == '0') address.leading_zeros = true;
    address.bytes[kV4 + i] = static_cast<std::uint8_t>(*value);
    text.remove_prefix(i == 3 ? text.size() : dot + 1);
  }
  address.bytes[10] = address.bytes[11] = 0xff;
  address.v4 = true;
  return true;
}

// Parses hexadecimal groups, "::" for a run of zeros, and an optional IPv4 address at the end.
bool parse_v6(std::string_view text, IpAddress& address) {
  std::size_t at = 0;
  std::size_t gap = 17;  // offset of "::"
  if (text.starts_with("::")) {
    gap = 0;
    text.remove_prefix(2);
  }
  while (!text.empty() && at < 16) {
    unsigned value = 0;
    std::size_t length = 0;
    while (length < text.size() && length < 5 && hex_value(text[length]) >= 0) {
      value = value * 16 + static_cast<unsigned>(hex_value(text[length++]));
    }
    if (length == 0 || length > 4) return false;
    if (length < text.size() && text[length] == '.') {
      IpAddress last;
      if (at > 12 || (gap > 16 && at != 12) || !parse_v4(text, last)) return false;
      std::copy_n(last.bytes.begin() + kV4, 4, address.bytes.begin() + static_cast<long>(at));
      address.leading_zeros = last.leading_zeros;
      at += 4;
      text = {};
      break;
    }
    address.bytes[at++] = static_cast<std::uint8_t>(value >> 8);
    address.bytes[at++] = static_cast<std::uint8_t>(value);
    text.remove_prefix(length);
    if (text.empty()) break;
    if (text[0] != ':' || text.size() == 1) return false;
    text.remove_prefix(1);
    if (text[0] != ':') continue;
    if (gap <= 16) return false;
    gap = at;
    text.remove_prefix(1);
  }
  if (!text.empty()) return false;
  if (at == 16) return gap > 16;
  if (gap > 16) return false;
  const auto first = address.bytes.begin();
  std::copy_backward(first + static_cast<long>(gap), first + static_cast<long>(at),
                     address.bytes.end());
  std::fill_n(first + static_cast<long>(gap), 16 - at, std::uint8_t{0});
  return true;
}

bool is_mapped(const IpAddress& address) {
  return std::all_of(address.bytes.begin(), address.bytes.begin() + 10,
                     [](std::uint8_t byte) { return byte == 0; }) &&
         address.bytes[10] == 0xff && address.bytes[11] == 0xff;
}

std::string hex(unsigned value) {
  std::string text;
  for (int shift = 12; shift >= 0; shift -= 4) {
    const unsigned digit = (value >> shift) & 15;
    if (digit != 0 || !text.empty() || shift == 0) text += kHexDigits[digit];
  }
  return text;
}

}  // namespace

bool IpAddress::is_unspecified() const {
  return std::all_of(bytes.begin() + (v4 ? kV4 : 0), bytes.end(),
                     [](std::uint8_t byte) { return byte == 0; });
}

bool IpAddress::is_loopback() const {
  if (v4) return bytes[kV4] == 127;
  return bytes[15] == 1 &&
         std::all_of(bytes.begin(), bytes.end() - 1, [](std::uint8_t byte) { return byte == 0; });
}

bool IpAddress::is_link_local() const {
  if (v4) return bytes[kV4] == 169 && bytes[kV4 + 1] == 254;
  return bytes[0] == 0xfe && (bytes[1] & 0xc0) == 0x80;
}

bool IpAddress::is_link_local_multicast() const {
  if (v4) return bytes[kV4] == 224 && bytes[kV4 + 1] == 0 && bytes[kV4 + 2] == 0;
  return bytes[0] == 0xff && (bytes[1] & 0x0f) == 2;
}

std::string IpAddress::to_string() const {
  std::string text;
  if (v4) {
    for (std::size_t i = kV4; i < 16; ++i) {
      text.append(i == kV4 ? "" : ".").append(std::to_string(bytes[i]));
    }
    return text;
  }
  // Finds the longest run of two or more zero groups.
  std::size_t start = 8;
  std::size_t length = 1;
  const auto group = [&](std::size_t i) { return bytes[2 * i] * 256U + bytes[2 * i + 1]; };
  for (std::size_t i = 0; i < 8; ++i) {
    std::size_t end = i;
    while (end < 8 && group(end) == 0) ++end;
    if (end - i > length) {
      start = i;
      length = end - i;
    }
  }
  for (std::size_t i = 0; i < 8; ++i) {
    if (i == start) {
      text += "::";
      i += length - 1;
      continue;
    }
    if (!text.empty() && text.back() != ':') text += ':';
    text += hex(group(i));
  }
  return text;
}

std::optional<IpAddress> parse_ip(std::string_view text) {
  IpAddress address;
  if (text.find(':') == std::string_view::npos) {
    return parse_v4(text, address) ? std::optional(address) : std::nullopt;
  }
  if (!parse_v6(text, address)) return std::nullopt;
  address.v4 = address.mapped = is_mapped(address);
  return address;
}

IpAddress IpRange::network() const {
  IpAddress network = address;
  for (std::size_t i = address.v4 ? kV4 : 0, left = bits; i < 16; ++i) {
    const std::size_t kept = std::min<std::size_t>(left, 8);
    network.bytes[i] = static_cast<std::uint8_t>(network.bytes[i] & (0xff00U >> kept));
    left -= kept;
  }
  return network;
}

bool IpRange::contains(const IpAddress& other) const {
  IpRange around = *this;
  around.address = other;
  return address.v4 == other.v4 && network().bytes == around.network().bytes;
}

std::string IpRange::to_string() const {
  return network().to_string() + "/" + std::to_string(bits);
}

std::optional<IpRange> parse_ip_range(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto address = parse_ip(text.substr(0, slash));
  if (!address) return std::nullopt;
  const std::string_view length = text.substr(slash + 1);
  const bool short_form = address->v4 && !address->mapped;
  auto bits = decimal(length, short_form ? 32 : 128);
  if (!bits || (address->mapped && *bits < 96)) return std::nullopt;
  if (address->mapped) *bits -= 96;
  return IpRange{*address, *bits,
                 address->leading_zeros || (length.size() > 1 && length[0] == '0')};
}

}  // namespace tabernetes
