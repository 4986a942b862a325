#include "base/go/url.h"

#include <algorithm>
#include <cstddef>

#include "base/text/ascii.h"

namespace tabernetes {
namespace {

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

bool one_of(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

// Which percent-escapes are valid: any, or (in hosts) only those of bytes beyond ASCII and "%25".
enum class Escapes { kAny, kBeyondAscii };

bool escapes_are_good(std::string_view text, Escapes escapes) {
  for (std::size_t i = text.find('%'); i != std::string_view::npos; i = text.find('%', i + 1)) {
    if (i + 2 >= text.size() || !is_hex(text[i + 1]) || !is_hex(text[i + 2])) return false;
    if (escapes == Escapes::kBeyondAscii && text[i + 1] < '8') {
      if (text.substr(i, 3) != "%25") return false;
    }
  }
  return true;
}

bool is_host_text(std::string_view text) {
  return escapes_are_good(text, Escapes::kBeyondAscii) &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return is_letter(c) || is_digit(c) || !is_ascii(c) ||
                  one_of(c, "-_.~!$&'()*+,;=:[]<>\"%");
         });
}

bool is_optional_port(std::string_view text) {
  return text.empty() || (text[0] == ':' && std::all_of(text.begin() + 1, text.end(), &is_digit));
}

// REQUIRES: `text` begins with '['.
bool is_bracketed_host(std::string_view text) {
  const std::size_t end = text.rfind(']');
  if (end == std::string_view::npos || !is_optional_port(text.substr(end + 1))) return false;
  const std::string_view inside = text.substr(1, end - 1);
  const std::size_t zone = std::min(inside.find("%25"), inside.size());
  const std::string_view address = inside.substr(0, zone);
  return address.find(':') != std::string_view::npos && inside.size() != zone + 3 &&
         std::all_of(address.begin(), address.end(),
                     [](char c) { return is_hex(c) || c == ':' || c == '.'; }) &&
         escapes_are_good(inside.substr(zone), Escapes::kAny);
}

// Hosts of HTTP URLs may contain one colon only, the port's.
enum class Colons { kOne, kAny };

bool is_host(std::string_view text, Colons colons) {
  const std::size_t bracket = text.rfind('[');
  if (bracket == 0) return is_bracketed_host(text);
  if (bracket != std::string_view::npos) return false;
  const std::size_t colon = colons == Colons::kOne ? text.find(':') : text.rfind(':');
  if (colon != std::string_view::npos && !is_optional_port(text.substr(colon))) return false;
  return is_host_text(text);
}

bool is_user(std::string_view text) {
  return escapes_are_good(text, Escapes::kAny) && std::all_of(text.begin(), text.end(), [](char c) {
           return is_letter(c) || is_digit(c) || one_of(c, "-._:~!$&'()*+,;=%@");
         });
}

bool is_authority(std::string_view text, Colons colons) {
  const std::size_t at = text.rfind('@');
  if (at == std::string_view::npos) return is_host(text, colons);
  return is_host(text.substr(at + 1), colons) && is_user(text.substr(0, at));
}

// Returns the position of the ':' after the scheme, or npos if `text` has no scheme.
std::size_t scheme_end(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_letter(text[i])) continue;
    if (text[i] == ':') return i;
    if (i == 0 || !(is_digit(text[i]) || one_of(text[i], "+-."))) break;
  }
  return std::string_view::npos;
}

std::string_view until(std::string_view text, char end) { return text.substr(0, text.find(end)); }

bool is_http(std::string_view scheme) {
  constexpr std::string_view kHttps = "https";
  return (scheme.size() == 4 || scheme.size() == 5) &&
         std::equal(scheme.begin(), scheme.end(), kHttps.begin(),
                    [](char c, char lower) { return (c | 0x20) == lower; });
}

}  // namespace

bool is_go_request_uri(std::string_view text) {
  if (text.empty() || std::any_of(text.begin(), text.end(), &is_control)) return false;
  if (text == "*") return true;
  const std::size_t colon = scheme_end(text);
  if (colon == 0) return false;
  const bool has_scheme = colon != std::string_view::npos;
  std::string_view rest = until(has_scheme ? text.substr(colon + 1) : text, '?');
  if (!rest.starts_with('/')) return has_scheme;
  if (has_scheme && rest.starts_with("//")) {
    const std::string_view authority = until(rest.substr(2), '/');
    const Colons colons = is_http(text.substr(0, colon)) ? Colons::kOne : Colons::kAny;
    if (!is_authority(authority, colons)) return false;
    rest.remove_prefix(2 + authority.size());
  }
  return escapes_are_good(rest, Escapes::kAny);
}

}  // namespace tabernetes
