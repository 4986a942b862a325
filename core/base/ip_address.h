// IP addresses and ranges as Go reads and writes them.
// Source: Go 1.25 net/ip.go and net/netip (what is strict), k8s.io/utils/net (what is sloppy).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tabernetes {

struct IpAddress {
  std::array<std::uint8_t, 16> bytes{};  // IPv4 as IPv6: ::ffff:a.b.c.d
  bool v4 = false;
  bool mapped = false;         // IPv4, but written as IPv6
  bool leading_zeros = false;  // "010.0.0.1": net/netip refuses it

  bool is_unspecified() const;
  bool is_loopback() const;
  bool is_link_local() const;
  bool is_link_local_multicast() const;
  // 192.0.2.1, or as RFC 5952 says.
  std::string to_string() const;
};

std::optional<IpAddress> parse_ip(std::string_view text);

struct IpRange {
  IpAddress address;  // as written
  unsigned bits = 0;  // of the prefix, out of 32 for IPv4 and of 128 for IPv6
  bool leading_zeros = false;

  IpAddress network() const;
  bool contains(const IpAddress& other) const;
  // Of the network.
  std::string to_string() const;
};

std::optional<IpRange> parse_ip_range(std::string_view text);

}  // namespace tabernetes
