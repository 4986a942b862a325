// The value of --listen: an address to accept connections on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tabernetes::host {

struct ListenAddress {
  std::string host;  // a name or an IP address; IPv6 without brackets
  std::uint16_t port = 0;

  friend bool operator==(const ListenAddress&, const ListenAddress&) = default;
};

// Parses "HOST:PORT" or "[IPV6]:PORT". Returns nullopt for any other text.
std::optional<ListenAddress> parse_listen_address(std::string_view text);

// Returns "HOST:PORT", with brackets around IPv6: the authority of a URL.
std::string to_string(const ListenAddress& address);

}  // namespace tabernetes::host
