// Source: upstream 1.36 apimachinery pkg/util/validation/ip.go.
#include "kinds/shared/addresses.h"

#include <string>

#include "base/go/text.h"
#include "base/net/ip_address.h"
#include "registry/kind/warnings.h"

namespace tabernetes::registry::kinds {

bool is_v6(std::string_view text) {
  const auto ip = parse_ip(text);
  return ip && !ip->v4;
}

// Upstream also warns about leading zeros and IPv4-mapped IPv6 addresses; new objects cannot
// contain them.
void warn_of_ip(const Field& place, Warnings& out, std::string_view text) {
  const auto ip = parse_ip(text);
  if (!ip || ip->v4) return;
  const std::string preferred = ip->to_string();
  if (preferred == text) return;
  out.at(place, {"IPv6 address ", go_quote(text), " should be in RFC 5952 canonical format (",
                 go_quote(preferred), ")"});
}

void warn_of_ips(const Field& addresses, Warnings& out) {
  for (const Field address : addresses.items()) warn_of_ip(address, out);
}

// The same is true of ranges with bits set after their prefix.
void warn_of_cidr(const Field& place, Warnings& out) {
  const auto range = parse_ip_range(place.text());
  if (!range || range->address.v4) return;
  const std::string preferred = range->to_string();
  if (preferred == place.text()) return;
  out.at(place, {"IPv6 CIDR value ", go_quote(place.text()),
                 " should be in RFC 5952 canonical format (", go_quote(preferred), ")"});
}

void warn_of_cidrs(const Field& list, Warnings& out) {
  for (const Field range : list.items()) warn_of_cidr(range, out);
}

void warn_of_balancer_status(const Field& object, const json::Value*, Warnings& out) {
  const Field status = object["status"];
  const Field balancer = status["loadBalancer"];
  const Field ingress = balancer["ingress"];
  for (const Field entry : ingress.items()) {
    warn_of_ip(entry, out, entry.text_at("ip"));  // upstream's path ends here
  }
}

}  // namespace tabernetes::registry::kinds
