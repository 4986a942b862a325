#include "base/api/names.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace tabernetes {
namespace {

constexpr std::size_t kMaxSubdomain = 253;
constexpr std::size_t kMaxLabel = 63;

constexpr std::string_view kSubdomainText =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
constexpr std::string_view kLabelText =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
    "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
constexpr std::string_view kDns1035Text =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
    "alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', "
    "regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
constexpr std::string_view kQualifiedText =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr std::string_view kLabelValueText =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  "
    "or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

// Character classes as bits.
constexpr unsigned kLower = 1, kUpper = 2, kDigit = 4, kDash = 8, kUnderscore = 16, kDot = 32;
constexpr unsigned kLowerAlphanumeric = kLower | kDigit;
constexpr unsigned kAlphanumeric = kLower | kUpper | kDigit;

constexpr std::array<std::uint8_t, 256> make_sets() {
  std::array<std::uint8_t, 256> sets{};
  for (char c = 'a'; c <= 'z'; ++c) sets[static_cast<unsigned char>(c)] = kLower;
  for (char c = 'A'; c <= 'Z'; ++c) sets[static_cast<unsigned char>(c)] = kUpper;
  for (char c = '0'; c <= '9'; ++c) sets[static_cast<unsigned char>(c)] = kDigit;
  sets['-'] = kDash;
  sets['_'] = kUnderscore;
  sets['.'] = kDot;
  return sets;
}
constexpr std::array<std::uint8_t, 256> kSets = make_sets();

bool is_of(char c, unsigned sets) { return (kSets[static_cast<unsigned char>(c)] & sets) != 0; }

// Returns true if `text` begins and ends with a character of `edge` and has only those of `inner`
// or `edge` between.
bool has_shape(std::string_view text, unsigned edge, unsigned inner) {
  if (text.empty() || !is_of(text.front(), edge) || !is_of(text.back(), edge)) return false;
  for (const char c : text) {
    if (!is_of(c, edge | inner)) return false;
  }
  return true;
}

// Returns true for a non-empty text of letters, digits and `others`.
bool consists_of(std::string_view text, unsigned others) {
  for (const char c : text) {
    if (!is_of(c, kAlphanumeric | others)) return false;
  }
  return !text.empty();
}

bool is_dns_label(std::string_view text) { return has_shape(text, kLowerAlphanumeric, kDash); }

bool is_dns_subdomain(std::string_view text) {
  while (true) {
    const std::size_t dot = text.find('.');
    if (!is_dns_label(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

bool is_name_part(std::string_view text) {
  return has_shape(text, kAlphanumeric, kDash | kUnderscore | kDot);
}

std::string too_long(std::size_t max, std::string_view unit) {
  return "must be no more than " + std::to_string(max) + " " + std::string(unit);
}

// Newer checks say bytes and older ones characters, for the same limit.
Faults subdomain_faults(std::string_view text, std::string_view unit) {
  Faults faults;
  if (text.size() > kMaxSubdomain) faults.push_back(too_long(kMaxSubdomain, unit));
  if (!is_dns_subdomain(text)) faults.emplace_back(kSubdomainText);
  return faults;
}

void add_part(Faults& faults, std::string_view part, std::string_view fault) {
  faults.push_back(std::string(part) + " part " + std::string(fault));
}

}  // namespace

Faults dns1123_subdomain_faults(std::string_view text) {
  return subdomain_faults(text, "characters");
}

Faults dns1123_label_faults(std::string_view text) {
  Faults faults;
  if (text.size() > kMaxLabel) faults.push_back(too_long(kMaxLabel, "characters"));
  if (!is_dns_label(text)) {
    faults.emplace_back(is_dns_subdomain(text) ? "must not contain dots" : kLabelText);
  }
  return faults;
}

Faults dns1035_label_faults(std::string_view text) {
  Faults faults;
  if (text.size() > kMaxLabel) faults.push_back(too_long(kMaxLabel, "characters"));
  if (!is_dns_label(text) || !is_of(text.front(), kLower)) faults.emplace_back(kDns1035Text);
  return faults;
}

Faults path_segment_faults(std::string_view text) {
  if (text == ".") return {"may not be '.'"};
  if (text == "..") return {"may not be '..'"};
  return path_segment_prefix_faults(text);
}

Faults path_segment_prefix_faults(std::string_view text) {
  Faults faults;
  if (text.find('/') != std::string_view::npos) faults.emplace_back("may not contain '/'");
  if (text.find('%') != std::string_view::npos) faults.emplace_back("may not contain '%'");
  return faults;
}

Faults qualified_name_faults(std::string_view text) {
  Faults faults;
  std::string_view name = text;
  if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
    const std::string_view prefix = text.substr(0, slash);
    name = text.substr(slash + 1);
    if (name.find('/') != std::string_view::npos) {
      return {"a valid label key " + std::string(kQualifiedText) +
              " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"};
    }
    if (prefix.empty()) {
      add_part(faults, "prefix", "must be non-empty");
    } else {
      for (const std::string& fault : subdomain_faults(prefix, "bytes")) {
        add_part(faults, "prefix", fault);
      }
    }
  }
  if (name.empty()) add_part(faults, "name", "must be non-empty");
  if (name.size() > kMaxLabel) add_part(faults, "name", too_long(kMaxLabel, "bytes"));
  if (!is_name_part(name)) add_part(faults, "name", kQualifiedText);
  return faults;
}

Faults config_key_faults(std::string_view text) {
  Faults faults;
  if (text.size() > kMaxSubdomain) faults.push_back(too_long(kMaxSubdomain, "characters"));
  if (!consists_of(text, kDash | kUnderscore | kDot)) {
    faults.emplace_back(
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. "
        "'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is "
        "'[-._a-zA-Z0-9]+')");
  }
  if (text == "." || text == "..") {
    faults.push_back("must not be '" + std::string(text) + "'");
  } else if (text.starts_with("..")) {
    faults.emplace_back("must not start with '..'");
  }
  return faults;
}

Faults environment_name_faults(std::string_view text) {
  if (text.empty()) return {"environment variable name must be non-empty"};
  for (const char c : text) {
    if (c >= ' ' && c <= '~' && c != '=') continue;
    return {
        "a valid environment variable name must consist only of printable ASCII characters other "
        "than '='"};
  }
  return {};
}

Faults header_name_faults(std::string_view text) {
  if (consists_of(text, kDash)) return {};
  return {
      "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', "
      "regex used for validation is '[-A-Za-z0-9]+')"};
}

Faults label_value_faults(std::string_view text) {
  Faults faults;
  if (text.size() > kMaxLabel) faults.push_back(too_long(kMaxLabel, "bytes"));
  if (!text.empty() && !is_name_part(text)) faults.emplace_back(kLabelValueText);
  return faults;
}

}  // namespace tabernetes
