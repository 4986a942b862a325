// IP addresses and networks. Source: apiserver 1.36 pkg/cel/library/ip.go, cidr.go; Go's net/netip.
#include "base/go/text.h"
#include "base/net/ip_address.h"
#include "base/text/ascii.h"
#include "cel/evaluator.h"

namespace tabernetes::cel {
namespace {

using F = Function;

Value make_ip(const IpAddress& address, json::Arena& arena) {
  Value value(Kind::kIp);
  value.ip = new (arena.allocate(sizeof(IpAddress))) IpAddress(address);
  return value;
}

Value make_cidr(const IpRange& range, json::Arena& arena) {
  Value value(Kind::kCidr);
  value.cidr = new (arena.allocate(sizeof(IpRange))) IpRange(range);
  return value;
}

// Returns netip.ParseAddr's error for an invalid address.
std::string address_fault(std::string_view text) {
  const std::string quoted = go_quote(text);
  const std::size_t mark = text.find_first_of(".:%");
  const std::string parse = "ParseAddr(" + quoted + "): ";
  if (mark == std::string_view::npos || text[mark] == '%') {
    return parse + (mark == std::string_view::npos ? "unable to parse IP" : "missing IPv6 address");
  }
  if (text[mark] == ':') return parse + "unexpected character, want colon";
  std::size_t dots = 0;
  std::size_t digits = 0;
  int value = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_digit(c)) {
      if (digits == 1 && value == 0) return parse + "IPv4 field has octet with leading zero";
      value = value * 10 + (c - '0');
      if (value > 255) return parse + "IPv4 field has value >255";
      ++digits;
    } else if (c == '.') {
      if (i == 0 || i + 1 == text.size() || text[i - 1] == '.') {
        return parse + "IPv4 field must have at least one digit (at " + go_quote(text.substr(i)) +
               ")";
      }
      if (++dots == 4) return parse + "IPv4 address too long";
      digits = 0;
      value = 0;
    } else {
      return parse + "unexpected character (at " + go_quote(text.substr(i)) + ")";
    }
  }
  return parse + "IPv4 address too short";
}

// Parses an address; returns an error value if it is invalid.
Value read_ip(std::string_view text, json::Arena& arena) {
  const std::string quoted = go_quote(text);
  if (const std::size_t zone = text.find('%');
      zone != std::string_view::npos && zone + 1 < text.size()) {
    const auto address = parse_ip(text.substr(0, zone));
    if (address && !address->v4) {
      return make_error("IP address " + quoted + " with zone value is not allowed", arena);
    }
  }
  const auto address = parse_ip(text);
  if (!address || address->leading_zeros) {
    return make_error("IP Address " + quoted +
                          " parse error during conversion from string: " + address_fault(text),
                      arena);
  }
  if (address->mapped) {
    return make_error("IPv4-mapped IPv6 address " + quoted + " is not allowed", arena);
  }
  return make_ip(*address, arena);
}

std::string prefix_fault(std::string_view text) {
  const std::string parse = "netip.ParsePrefix(" + go_quote(text) + "): ";
  const std::size_t slash = text.rfind('/');
  if (slash == std::string_view::npos) return parse + "no '/'";
  const auto address = parse_ip(text.substr(0, slash));
  if (!address || address->leading_zeros) return parse + address_fault(text.substr(0, slash));
  const std::string_view bits = text.substr(slash + 1);
  const GoParsedInt read = go_parse_int(bits);
  if (!read.error.empty() || (bits.size() > 1 && (bits[0] < '1' || bits[0] > '9'))) {
    return parse + "bad bits after slash: " + go_quote(bits);
  }
  return parse + "prefix length out of range";
}

Value read_cidr(std::string_view text, json::Arena& arena) {
  constexpr std::string_view kError = "network address parse error during conversion from string: ";
  const auto range = parse_ip_range(text);
  const bool good = range && !range->leading_zeros && !range->address.leading_zeros;
  std::string fault;
  if (!good) {
    fault = std::string(kError) + prefix_fault(text);
  } else if (range->address.mapped) {
    fault = "IPv4-mapped IPv6 address " + go_quote(text) + " is not allowed";
  } else {
    return make_cidr(*range, arena);
  }
  return make_error(std::string(kError) + fault, arena);
}

bool is_global_unicast(const IpAddress& ip) {
  const bool multicast = ip.v4 ? (ip.bytes[12] & 0xf0) == 0xe0 : ip.bytes[0] == 0xff;
  const bool broadcast = ip.v4 && ip.bytes[12] == 255 && ip.bytes[13] == 255 &&
                         ip.bytes[14] == 255 && ip.bytes[15] == 255;
  return !broadcast && !ip.is_unspecified() && !ip.is_loopback() && !multicast &&
         !ip.is_link_local();
}

Value of_text(const Call& call) {
  const std::string_view text = call.text(0);
  switch (call.function) {
    case F::kIp:
      return read_ip(text, call.arena);
    case F::kIsIp:
      return make_bool(!read_ip(text, call.arena).is_error());
    case F::kIpIsCanonical: {
      const Value ip = read_ip(text, call.arena);
      return ip.is_error() ? ip : make_bool(ip.ip->to_string() == text);
    }
    case F::kCidr:
      return read_cidr(text, call.arena);
    case F::kIsCidr:
      return make_bool(!read_cidr(text, call.arena).is_error());
    default:
      return not_mine();
  }
}

Value of_ip(const Call& call) {
  const IpAddress& ip = *call.args[0].ip;
  switch (call.function) {
    case F::kFamily:
      return make_int(ip.v4 ? 4 : 6);
    case F::kIsUnspecified:
      return make_bool(ip.is_unspecified());
    case F::kIsLoopback:
      return make_bool(ip.is_loopback());
    case F::kIsLinkLocalMulticast:
      return make_bool(ip.is_link_local_multicast());
    case F::kIsLinkLocalUnicast:
      return make_bool(ip.is_link_local());
    case F::kIsGlobalUnicast:
      return make_bool(is_global_unicast(ip));
    default:
      return not_mine();
  }
}

Value of_cidr(const Call& call) {
  const IpRange& range = *call.args[0].cidr;
  switch (call.function) {
    case F::kIp:
      return make_ip(range.address, call.arena);
    case F::kPrefixLength:
      return make_int(range.bits);
    case F::kMasked: {
      IpRange masked = range;
      masked.address = range.network();
      return make_cidr(masked, call.arena);
    }
    default:
      return not_mine();
  }
}

bool holds(const IpRange& range, const IpAddress& ip) {
  return range.address.v4 == ip.v4 && range.contains(ip);
}

}  // namespace

Value call_network(const Call& call) {
  if (call.is("s")) return of_text(call);
  if (call.is("I")) return of_ip(call);
  if (call.is("C")) return of_cidr(call);
  if (call.function != F::kContainsIp && call.function != F::kContainsCidr) return not_mine();
  if (call.count != 2 || !call.args[0].is(Kind::kCidr)) return not_mine();
  Value other = call.args[1];
  const bool ip = call.function == F::kContainsIp;
  if (other.is(Kind::kString)) {
    other = ip ? read_ip(other.view(), call.arena) : read_cidr(other.view(), call.arena);
  }
  if (!other.is(ip ? Kind::kIp : Kind::kCidr)) return call.error("no such overload");
  const IpRange& range = *call.args[0].cidr;
  if (ip) return make_bool(holds(range, *other.ip));
  return make_bool(range.bits <= other.cidr->bits && holds(range, other.cidr->address));
}

}  // namespace tabernetes::cel
