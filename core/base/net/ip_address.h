// IP addresses and CIDR ranges, parsed and printed like Go. Source: Go 1.25 net/ip.go and net/netip
// (strict), k8s.io/utils/net (lenient).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tabernetes {

struct IpAddress {
  std::array<std::uint8_t, 16> bytes{};  // IPv4 is stored as ::ffff:a.b.c.d
  bool v4 = false;
  bool mapped = false;         // IPv4 written as IPv6
  bool leading_zeros = false;  // "010.0.0.1": net/netip rejects it

  bool is_unspecified() const;
  bool is_loopback() const;
  bool is_link_local() const;
  bool is_link_local_multicast() const;
  // Returns 192.0.2.1, or for IPv6 the form of RFC 5952.
  std::string to_string() const;
};

std::optional<IpAddress> parse_ip(std::string_view text);

struct IpRange {
  IpAddress address;  // as written
  unsigned bits = 0;  // prefix length, at most 32 for IPv4 and 128 for IPv6
  bool leading_zeros = false;

  IpAddress network() const;
  bool contains(const IpAddress& other) const;
  // Returns the network in CIDR notation.
  std::string to_string() const;
};

std::optional<IpRange> parse_ip_range(std::string_view text);

}  // namespace tabernetes
