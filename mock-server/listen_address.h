// The value of --listen: where to accept connections.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tabernetes::host {

struct ListenAddress {
  std::string host;  // a name or an IP address, without the brackets of IPv6
  std::uint16_t port = 0;

  friend bool operator==(const ListenAddress&, const ListenAddress&) = default;
};

// Reads "HOST:PORT" or "[IPV6]:PORT"; nothing if it is neither.
std::optional<ListenAddress> parse_listen_address(std::string_view text);

// "HOST:PORT", with brackets around IPv6: the authority of a URL.
std::string to_string(const ListenAddress& address);

}  // namespace tabernetes::host
