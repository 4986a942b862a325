#include "listen_address.h"

#include <charconv>

namespace tabernetes::host {

std::optional<ListenAddress> parse_listen_address(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);

  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    return std::nullopt;  // IPv6 without brackets: the port is ambiguous
  }
  if (host.empty() || host.find_first_of(" /[]@") != std::string_view::npos) return std::nullopt;

  ListenAddress address{std::string(host), 0};
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (error != std::errc() || port.empty() || end != port.data() + port.size()) return std::nullopt;
  return address;
}

ListenPlace ListenPlace::unix_socket(std::string path) {
  ListenPlace place{ListenAddress{}};
  place.path = std::move(path);
  return place;
}

std::optional<ListenPlace> parse_listen_place(std::string_view text) {
  constexpr std::string_view kUnix = "unix://";
  if (text.starts_with(kUnix)) {
    const std::string_view path = text.substr(kUnix.size());
    if (path.size() < 2 || path.front() != '/') return std::nullopt;
    return ListenPlace::unix_socket(std::string(path));
  }
  auto address = parse_listen_address(text);
  if (!address) return std::nullopt;
  return ListenPlace(std::move(*address));
}

std::string to_string(const ListenPlace& place) {
  return place.is_unix() ? "unix://" + place.path : to_string(place.address);
}

std::string to_string(const ListenAddress& address) {
  const bool ipv6 = address.host.find(':') != std::string::npos;
  return (ipv6 ? "[" + address.host + "]" : address.host) + ":" + std::to_string(address.port);
}

}  // namespace tabernetes::host
