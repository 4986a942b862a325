#include "registry/meta/version_order.h"

#include <cstdint>

#include "base/text/ascii.h"

namespace tabernetes::registry {
namespace {

struct Version {
  int stability = 0;
  std::uint64_t major = 0, minor = 0;
};

// Removes a number without leading zeros from the start of `text` and returns it; 0 if there is
// none.
std::uint64_t take_number(std::string_view& text) {
  std::uint64_t number = 0;
  std::size_t digits = 0;
  while (digits < text.size() && digits < 18 && is_digit(text[digits])) {
    number = number * 10 + static_cast<std::uint64_t>(text[digits++] - '0');
  }
  if (digits > 0 && text[0] == '0') return 0;
  text.remove_prefix(digits);
  return number;
}

Version parse(std::string_view text) {
  if (!text.starts_with('v')) return {};
  text.remove_prefix(1);
  Version version{.stability = 3, .major = take_number(text)};
  if (version.major == 0) return {};
  if (text.empty()) return version;
  const bool beta = text.starts_with("beta");
  if (!beta && !text.starts_with("alpha")) return {};
  text.remove_prefix(beta ? 4 : 5);
  version.stability = beta ? 2 : 1;
  version.minor = take_number(text);
  return version.minor == 0 || !text.empty() ? Version{} : version;
}

}  // namespace

int version_stability(std::string_view version) { return parse(version).stability; }

bool version_precedes(std::string_view a, std::string_view b) {
  const Version first = parse(a);
  const Version second = parse(b);
  if (first.stability != second.stability) return first.stability > second.stability;
  if (first.stability == 0) return a < b;
  if (first.major != second.major) return first.major > second.major;
  return first.minor > second.minor;
}

}  // namespace tabernetes::registry
