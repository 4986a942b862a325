// The value of --listen: an address or a Unix socket to accept connections on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tabernetes::host {

struct ListenAddress {
  std::string host;  // a name or an IP address; IPv6 without brackets
  std::uint16_t port = 0;

  friend bool operator==(const ListenAddress&, const ListenAddress&) = default;
};

// Parses "HOST:PORT" or "[IPV6]:PORT". Returns nullopt for any other text.
std::optional<ListenAddress> parse_listen_address(std::string_view text);

// An address, or a Unix socket.
struct ListenPlace {
  ListenPlace(ListenAddress where) : address(std::move(where)) {}
  static ListenPlace unix_socket(std::string path);

  bool is_unix() const { return !path.empty(); }
  friend bool operator==(const ListenPlace&, const ListenPlace&) = default;

  ListenAddress address;  // of a Unix socket none
  std::string path;       // of a Unix socket, else empty
};

// Parses an address, or "unix:///PATH". Returns nullopt for any other text.
std::optional<ListenPlace> parse_listen_place(std::string_view text);

// Returns what parse_listen_place() parses.
std::string to_string(const ListenPlace& place);

// Returns "HOST:PORT", with brackets around IPv6: the authority of a URL.
std::string to_string(const ListenAddress& address);

}  // namespace tabernetes::host
