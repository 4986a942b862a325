// See string_format.h. Deliberately simpler than upstream: comments in e-mail addresses are not
// accepted, and every character beyond ASCII counts as a letter in host names.
#include "schema/string_format.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "base/go/duration.h"
#include "base/go/url.h"
#include "base/net/ip_address.h"
#include "base/text/ascii.h"

namespace tabernetes::schema {
namespace {

// In the order of StringFormat.
constexpr std::string_view kFormatNames[] = {
    "",         "bsonobjectid", "uri",        "email",    "hostname",     "ipv4",        "ipv6",
    "cidr",     "mac",          "uuid",       "uuid3",    "uuid4",        "uuid5",       "isbn",
    "isbn10",   "isbn13",       "creditcard", "ssn",      "hexcolor",     "rgbcolor",    "byte",
    "password", "date",         "duration",   "datetime", "k8sshortname", "k8slongname", "int32",
    "int64",    "float",        "double"};

StringFormat find(std::string_view name, StringFormat first, StringFormat last) {
  for (int i = static_cast<int>(first); i <= static_cast<int>(last); ++i) {
    if (kFormatNames[i] == name) return static_cast<StringFormat>(i);
  }
  return StringFormat::kNone;
}

// \s of Go's regular expressions.
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r' && c != '\v'); }

template <class Is>
bool all(std::string_view text, const Is& is) {
  return std::all_of(text.begin(), text.end(), is);
}

template <class Is>
std::string without(std::string_view text, const Is& is) {
  std::string left;
  std::copy_if(text.begin(), text.end(), std::back_inserter(left), [&](char c) { return !is(c); });
  return left;
}

// Parses digits. REQUIRES: they fit into an int.
int number(std::string_view digits) {
  int value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

// Returns whether `text` matches `shape`, in which `d` matches a digit and other characters
// themselves.
bool has_shape(std::string_view text, std::string_view shape) {
  return text.size() == shape.size() &&
         std::equal(text.begin(), text.end(), shape.begin(),
                    [](char c, char s) { return s == 'd' ? is_digit(c) : c == s; });
}

bool is_date(std::string_view text) {
  if (!has_shape(text, "dddd-dd-dd")) return false;
  const int year = number(text.substr(0, 4));
  const int month = number(text.substr(5, 2));
  const int day = number(text.substr(8, 2));
  if (month < 1 || month > 12 || day < 1) return false;
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  const int days = month == 2 ? (leap ? 29 : 28) : 30 + (month + month / 8) % 2;
  return day <= days;
}

bool is_clock_time(std::string_view text) {
  if (!has_shape(text.substr(0, 8), "dd:dd:dd")) return false;
  if (number(text.substr(0, 2)) > 23 || number(text.substr(3, 2)) > 59 ||
      number(text.substr(6, 2)) > 59) {
    return false;
  }
  text.remove_prefix(8);
  // Upstream's pattern accepts any character instead of the point.
  if (text.size() > 1 && is_digit(text[1]) && !has_shape(text, "+dd:dd") &&
      !has_shape(text, "-dd:dd")) {
    const auto* const end = std::find_if_not(text.begin() + 1, text.end(), is_digit);
    text.remove_prefix(static_cast<std::size_t>(end - text.begin()));
  }
  return text == "z" || has_shape(text, "+dd:dd") || has_shape(text, "-dd:dd");
}

bool is_date_time(std::string_view text) {
  std::string small(text);
  std::transform(small.begin(), small.end(), small.begin(), [](char c) { return ascii_lower(c); });
  const std::string_view view = small;
  const std::size_t t = view.find('t');
  if (t == std::string_view::npos || !is_date(view.substr(0, t))) return false;
  const std::string_view rest = view.substr(t + 1);
  return is_clock_time(rest.substr(0, rest.find('t')));
}

// Returns whether `unit` is one of Scala's time units: "1 day", "3weeks".
bool is_time_unit(std::string_view unit) {
  static constexpr std::string_view kExact[] = {"ns", "us", "\xc2\xb5s", "ms", "s", "m",
                                                "h",  "hr", "d",         "w",  "wk"};
  static constexpr std::string_view kPrefixes[] = {"nano", "micro", "milli", "sec",
                                                   "min",  "hour",  "day",   "week"};
  return std::find(std::begin(kExact), std::end(kExact), unit) != std::end(kExact) ||
         std::any_of(std::begin(kPrefixes), std::end(kPrefixes),
                     [unit](std::string_view prefix) { return unit.starts_with(prefix); });
}

bool is_duration(std::string_view text) {
  if (go_parse_duration(text).error.empty()) return true;
  bool found = false;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t first = i;
    while (i < text.size() && is_digit(text[i])) ++i;
    if (i == first) {
      ++i;
      continue;
    }
    const std::size_t digits_end = i;
    while (i < text.size() && is_space(text[i])) ++i;
    std::string unit;
    while (i < text.size() && (is_letter(text[i]) || text[i] == '\xc2' || text[i] == '\xb5')) {
      unit += ascii_lower(text[i++]);
    }
    if (unit.empty()) continue;
    std::int64_t factor = 0;
    const auto read = std::from_chars(text.data() + first, text.data() + digits_end, factor);
    if (read.ec != std::errc()) return false;
    found = found || is_time_unit(unit);
  }
  return found;
}

// Accepts 8-4-4-4-12 hexadecimal digits; dashes are optional. `version` 0 means any.
bool is_uuid(std::string_view text, char version) {
  static constexpr std::size_t kGroups[] = {8, 4, 4, 4, 12};
  std::size_t i = 0;
  for (int group = 0; group < 5; ++group) {
    if (group > 0 && i < text.size() && text[i] == '-') ++i;
    const std::string_view digits = text.substr(std::min(i, text.size()), kGroups[group]);
    if (digits.size() != kGroups[group] || !all(digits, is_hex)) return false;
    if (group == 2 && version != 0 && digits[0] != version) return false;
    const char variant = ascii_lower(digits[0]);
    if (group == 3 && version > '3' && (variant < '8' || variant > 'b' || variant == ':')) {
      return false;
    }
    i += kGroups[group];
  }
  return i == text.size();
}

bool is_isbn10(const std::string& text) {
  if (text.size() != 10 || !all(std::string_view(text).substr(0, 9), is_digit)) return false;
  if (!is_digit(text[9]) && text[9] != 'X') return false;
  int sum = 10 * (text[9] == 'X' ? 10 : text[9] - '0');
  for (int i = 0; i < 9; ++i) sum += (i + 1) * (text[i] - '0');
  return sum % 11 == 0;
}

bool is_isbn13(const std::string& text) {
  if (text.size() != 13 || !all(text, is_digit)) return false;
  int sum = 0;
  for (int i = 0; i < 12; ++i) sum += (i % 2 == 0 ? 1 : 3) * (text[i] - '0');
  return text[12] - '0' == (10 - sum % 10) % 10;
}

std::string without_spaces_and_dashes(std::string_view text) {
  return without(text, [](char c) { return is_space(c) || c == '-'; });
}

// Returns whether the digits are of Visa, MasterCard, Discover, American Express, Diners Club or
// JCB.
bool is_card_issuer(std::string_view digits) {
  const auto begins = [digits](std::string_view low, std::string_view high) {
    const std::string_view head = digits.substr(0, low.size());
    return low <= head && head <= high;
  };
  switch (digits.size()) {
    case 13:
      return begins("4", "4");
    case 14:
      return begins("300", "305") || begins("36", "36") || begins("38", "38");
    case 15:
      return begins("34", "34") || begins("37", "37") || begins("2131", "2131") ||
             begins("1800", "1800");
    case 16:
      return begins("4", "4") || begins("51", "55") || begins("6011", "6011") ||
             begins("65", "65") || begins("35", "35");
    default:
      return false;
  }
}

bool is_credit_card(std::string_view text) {
  const std::string digits = without(text, [](char c) { return !is_digit(c); });
  if (!is_card_issuer(digits)) return false;
  int sum = 0;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    int digit = digits[digits.size() - 1 - i] - '0';
    if (i % 2 == 1) digit = digit * 2 >= 10 ? digit * 2 - 9 : digit * 2;
    sum += digit;
  }
  return sum % 10 == 0;
}

// Accepts "rgb(1, 2, 3)".
bool is_rgb_color(std::string_view text) {
  if (!text.starts_with("rgb(") || !text.ends_with(")") || text.size() < 5) return false;
  text = text.substr(4, text.size() - 5);
  for (int part = 0; part < 3; ++part) {
    const std::size_t comma = part < 2 ? text.find(',') : text.size();
    if (comma == std::string_view::npos) return false;
    std::string_view digits = text.substr(0, comma);
    while (!digits.empty() && is_space(digits.front())) digits.remove_prefix(1);
    while (!digits.empty() && is_space(digits.back())) digits.remove_suffix(1);
    if (digits.empty() || digits.size() > 3 || !all(digits, is_digit) ||
        (digits.size() > 1 && digits[0] == '0') || number(digits) > 255) {
      return false;
    }
    text.remove_prefix(part < 2 ? comma + 1 : comma);
  }
  return true;
}

bool is_base64(std::string_view text) {
  if (text.empty() || text.size() % 4 != 0) return false;
  if (text.ends_with("==")) {
    text.remove_suffix(2);
  } else if (text.ends_with("=")) {
    text.remove_suffix(1);
  }
  return all(text, [](char c) { return is_letter_or_digit(c) || c == '+' || c == '/'; });
}

bool is_hardware_length(std::size_t bytes) { return bytes == 6 || bytes == 8 || bytes == 20; }

// Accepts groups of `digits` hexadecimal digits with separators; 6, 8 or 20 bytes in all.
bool is_hex_groups(std::string_view text, char separator, std::size_t digits) {
  const std::size_t group = digits + 1;
  if ((text.size() + 1) % group != 0) return false;
  if (!is_hardware_length((text.size() + 1) / group * digits / 2)) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i % group == digits ? text[i] != separator : !is_hex(text[i])) return false;
  }
  return true;
}

bool is_mac(std::string_view text) {
  if (text.size() % 2 == 0 && is_hardware_length(text.size() / 2)) return all(text, is_hex);
  return is_hex_groups(text, ':', 2) || is_hex_groups(text, '-', 2) || is_hex_groups(text, '.', 4);
}

// Characters of host names: letters and symbols of any script.
bool is_host_letter(char c) { return static_cast<unsigned char>(c) >= 0x80 || is_letter(c); }
bool is_host_character(char c) {
  return is_host_letter(c) || is_digit(c) ||
         std::string_view("$+<=>^`|~").find(c) != std::string_view::npos;
}

bool is_host_label(std::string_view label) {
  return !label.empty() && label.size() <= 63 && is_host_character(label.front()) &&
         is_host_character(label.back()) &&
         all(label, [](char c) { return c == '-' || is_host_character(c); });
}

bool is_hostname(std::string_view text) {
  if (text.empty() || text.size() > 255) return false;
  if (text.find('.') == std::string_view::npos) {
    // A name of a single label may have a dash as its second character only.
    if (!is_host_character(text[0])) return false;
    text.remove_prefix(1);
    if (text.starts_with('-')) text.remove_prefix(1);
    return text.size() <= 62 && all(text, is_host_character);
  }
  for (std::size_t dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.')) {
    if (!is_host_label(text.substr(0, dot))) return false;
    text.remove_prefix(dot + 1);
  }
  return text.size() >= 2 && text.size() <= 63 && all(text, is_host_letter);
}

bool is_atom_character(char c) {
  return is_letter_or_digit(c) || static_cast<unsigned char>(c) >= 0x80 ||
         std::string_view("!#$%&'*+-/=?^_`{|}~").find(c) != std::string_view::npos;
}

bool is_dot_atom(std::string_view text) {
  return !text.empty() && text.front() != '.' && text.back() != '.' &&
         text.find("..") == std::string_view::npos &&
         all(text, [](char c) { return c == '.' || is_atom_character(c); });
}

bool is_quoted(std::string_view text) {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return false;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] == '\\') {
      if (++i + 1 >= text.size()) return false;
    } else if (text[i] == '"' || text[i] == '\n' || text[i] == '\r') {
      return false;
    }
  }
  return true;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

bool is_mailbox(std::string_view text) {
  const std::size_t at = text.rfind('@');
  if (at == std::string_view::npos) return false;
  const std::string_view local = text.substr(0, at), domain = text.substr(at + 1);
  if (!is_dot_atom(local) && (!is_quoted(local) || local.size() == 2)) return false;
  if (domain.starts_with('[') && domain.ends_with(']')) {
    return parse_ip(domain.substr(1, domain.size() - 2)).has_value();
  }
  return is_dot_atom(domain);
}

// Accepts "a@b.c", "<a@b.c>", "Somebody <a@b.c>".
bool is_email(std::string_view text) {
  text = trimmed(text);
  if (!text.ends_with('>')) return is_mailbox(text);
  const std::size_t open = text.rfind('<');
  if (open == std::string_view::npos) return false;
  const std::string_view name = trimmed(text.substr(0, open));
  if (!is_quoted(name) && !all(name, [](char c) {
        return c == '.' || c == ' ' || c == '\t' || is_atom_character(c);
      })) {
    return false;
  }
  return is_mailbox(text.substr(open + 1, text.size() - open - 2));
}

bool is_name_label(std::string_view label) {
  return !label.empty() && label.front() != '-' && label.back() != '-' &&
         all(label, [](char c) { return c == '-' || is_lower_or_digit(c); });
}

bool is_long_name(std::string_view text) {
  if (text.size() > 253) return false;
  for (std::size_t dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.')) {
    if (!is_name_label(text.substr(0, dot))) return false;
    text.remove_prefix(dot + 1);
  }
  return is_name_label(text);
}

bool is_hex_color(std::string_view text) {
  if (text.starts_with('#')) text.remove_prefix(1);
  return (text.size() == 3 || text.size() == 6) && all(text, is_hex);
}

bool is_ssn(std::string_view text) {
  return text.size() == 11 && (text[3] == '-' || text[3] == ' ') &&
         (text[6] == '-' || text[6] == ' ') && all(text.substr(0, 3), is_digit) &&
         all(text.substr(4, 2), is_digit) && all(text.substr(7), is_digit);
}

bool is_ip(std::string_view text, char with) {
  return text.find(with) != std::string_view::npos && parse_ip(text).has_value();
}

}  // namespace

StringFormat find_string_format(std::string_view name) {
  const std::string plain = without(name, [](char c) { return c == '-'; });
  if (plain.empty()) return StringFormat::kNone;
  return find(plain, StringFormat::kBsonObjectId, StringFormat::kLongName);
}

StringFormat find_number_format(std::string_view name) {
  return find(name, StringFormat::kInt32, StringFormat::kDouble);
}

bool matches_format(StringFormat format, std::string_view text) {
  switch (format) {
    case StringFormat::kBsonObjectId:
      return text.size() == 24 && all(text, is_hex);
    case StringFormat::kUri:
      return is_go_request_uri(text);
    case StringFormat::kEmail:
      return is_email(text);
    case StringFormat::kHostname:
      return is_hostname(text);
    case StringFormat::kIpv4:
      return is_ip(text, '.');
    case StringFormat::kIpv6: {
      const auto ip = parse_ip(text);
      return ip && !ip->leading_zeros && text.find(':') != std::string_view::npos;
    }
    case StringFormat::kCidr:
      return parse_ip_range(text).has_value();
    case StringFormat::kMac:
      return is_mac(text);
    case StringFormat::kUuid:
      return is_uuid(text, 0);
    case StringFormat::kUuid3:
      return is_uuid(text, '3');
    case StringFormat::kUuid4:
      return is_uuid(text, '4');
    case StringFormat::kUuid5:
      return is_uuid(text, '5');
    case StringFormat::kIsbn: {
      const std::string digits = without_spaces_and_dashes(text);
      return is_isbn10(digits) || is_isbn13(digits);
    }
    case StringFormat::kIsbn10:
      return is_isbn10(without_spaces_and_dashes(text));
    case StringFormat::kIsbn13:
      return is_isbn13(without_spaces_and_dashes(text));
    case StringFormat::kCreditCard:
      return is_credit_card(text);
    case StringFormat::kSsn:
      return is_ssn(text);
    case StringFormat::kHexColor:
      return is_hex_color(text);
    case StringFormat::kRgbColor:
      return is_rgb_color(text);
    case StringFormat::kByte:
      return is_base64(text);
    case StringFormat::kDate:
      return is_date(text);
    case StringFormat::kDuration:
      return is_duration(text);
    case StringFormat::kDateTime:
      return is_date_time(text);
    case StringFormat::kShortName:
      return text.size() <= 63 && is_name_label(text);
    case StringFormat::kLongName:
      return is_long_name(text);
    case StringFormat::kPassword:
    default:
      return true;
  }
}

}  // namespace tabernetes::schema
