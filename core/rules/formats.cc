#include "rules/formats.h"

#include <algorithm>
#include <string>

#include "base/go/text.h"
#include "base/net/ip_address.h"
#include "base/text/ascii.h"
#include "base/text/parts.h"

namespace tabernetes::registry::validation {
namespace {

Faults not_a_name(std::string_view text) {
  constexpr std::string_view kDns = "must be a DNS name, not an IP address";
  return parse_ip(text) ? Faults{std::string(kDns)} : Faults{};
}

Faults wildcard_faults(std::string_view text) {
  if (text.size() <= 253 && text.starts_with("*.") &&
      dns1123_subdomain_faults(text.substr(2)).empty()) {
    return {};
  }
  Faults faults;
  if (text.size() > 253) faults.emplace_back("must be no more than 253 characters");
  if (!text.starts_with("*.") || !dns1123_subdomain_faults(text.substr(2)).empty()) {
    faults.emplace_back(
        "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, "
        "which must consist of lower case alphanumeric characters, '-' or '.' and end with an "
        "alphanumeric character (e.g. '*.example.com', regex used for validation is "
        "'\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')");
  }
  return faults;
}

Faults host_faults(std::string_view text) {
  return text.find('*') == std::string_view::npos ? dns1123_subdomain_faults(text)
                                                  : wildcard_faults(text);
}

Faults rule_host_faults(std::string_view text) {
  Faults faults = not_a_name(text);
  for (std::string& fault : host_faults(text)) faults.push_back(std::move(fault));
  return faults;
}

Faults load_balancer_host_faults(std::string_view text) {
  Faults faults = dns1123_subdomain_faults(text);
  for (std::string& fault : not_a_name(text)) faults.push_back(std::move(fault));
  return faults;
}

Faults any_ip_faults(std::string_view text) {
  if (parse_ip(text)) return {};
  return {"must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"};
}

Faults any_cidr_faults(std::string_view text) {
  if (parse_ip_range(text)) return {};
  return {"must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"};
}

Faults with_special_faults(Faults faults, std::string_view text) {
  for (std::string& fault : endpoint_ip_faults(text)) {
    if (parse_ip(text)) faults.push_back(std::move(fault));
  }
  return faults;
}

Faults external_ip_faults(std::string_view text) {
  return with_special_faults(ip_faults(text), text);
}

Faults any_external_ip_faults(std::string_view text) {
  return with_special_faults(any_ip_faults(text), text);
}

Faults canonical(std::string_view text, Faults faults, std::string_view form) {
  if (faults.empty() && form != text) {
    faults.push_back("must be in canonical form (" + go_quote(form) + ")");
  }
  return faults;
}

Faults interface_address_faults(std::string_view text) {
  const auto range = parse_ip_range(text);
  if (!range) return {"must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)"};
  return canonical(text, {}, range->address.to_string() + "/" + std::to_string(range->bits));
}

Faults prefixed_path_faults(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == 0 || slash == std::string_view::npos || slash + 1 == text.size()) {
    return {"must be a domain-prefixed path (such as \"acme.io/foo\")"};
  }
  Faults faults = dns1123_subdomain_faults(text.substr(0, slash));
  const std::string_view path = text.substr(slash + 1);
  const auto fits = [](char c) {
    return is_letter_or_digit(c) ||
           std::string_view("/-._~%!$&'()*+,;=:").find(c) != std::string_view::npos;
  };
  if (!std::all_of(path.begin(), path.end(), fits)) {
    faults.emplace_back(
        "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')");
  }
  return faults;
}

Faults lower_subdomain_faults(std::string_view text) {
  return dns1123_subdomain_faults(ascii_lower(text));
}

// Requires at least `segments` labels; upstream joins the faults.
Faults domain_faults(std::string_view text, std::size_t segments, std::string_view few) {
  if (text.ends_with('.')) text.remove_suffix(1);
  if (const Faults faults = dns1123_subdomain_faults(text); !faults.empty()) {
    return {join(faults, ",")};
  }
  if (static_cast<std::size_t>(std::count(text.begin(), text.end(), '.')) + 1 < segments) {
    return {"should be a domain with at least " + std::string(few) + " segments separated by dots"};
  }
  while (true) {
    const std::size_t dot = text.find('.');
    const Faults faults = dns1123_label_faults(text.substr(0, dot));
    if (!faults.empty()) return {join(faults, ",")};
    if (dot == std::string_view::npos) return {};
    text.remove_prefix(dot + 1);
  }
}

Faults fqdn_faults(std::string_view text) { return domain_faults(text, 2, "two"); }

Faults qualified_domain_faults(std::string_view text) { return domain_faults(text, 3, "three"); }

Faults joined_label_value_faults(std::string_view text) {
  const std::string all = join(label_value_faults(text), ";");
  return all.empty() ? Faults{} : Faults{all};
}

Faults config_key_faults(std::string_view text) {
  Faults faults;
  if (text.size() > 253) faults.emplace_back("must be no more than 253 characters");
  const auto fits = [](char c) {
    return is_letter_or_digit(c) || c == '-' || c == '_' || c == '.';
  };
  if (text.empty() || !std::all_of(text.begin(), text.end(), fits)) {
    faults.emplace_back(
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. "
        "'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is "
        "'[-._a-zA-Z0-9]+')");
  }
  if (text == ".") faults.emplace_back("must not be '.'");
  if (text == "..") {
    faults.emplace_back("must not be '..'");
  } else if (text.starts_with("..")) {
    faults.emplace_back("must not start with '..'");
  }
  return faults;
}

Faults cname_faults(std::string_view text) {
  if (text.ends_with('.')) text.remove_suffix(1);
  return dns1123_subdomain_faults(text);
}

Faults condition_reason_faults(std::string_view text) {
  const auto fits = [](char c) { return is_word_character(c) || c == ',' || c == ':'; };
  if (!text.empty() && is_letter(text[0]) && std::all_of(text.begin(), text.end(), fits) &&
      text.back() != ',' && text.back() != ':') {
    return {};
  }
  return {
      "a condition reason must start with alphabetic character, optionally followed by a string of "
      "alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. "
      "'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex "
      "used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')"};
}

constexpr std::size_t kMaxSysctl = 253;

bool is_sysctl_name(std::string_view name) {
  if (name.empty() || name.size() > kMaxSysctl) return false;
  bool begins = true;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool ends = i + 1 == name.size() || name[i + 1] == '.' || name[i + 1] == '/';
    if (c == '.' || c == '/') {
      if (begins || i + 1 == name.size()) return false;
      begins = true;
      continue;
    }
    if (!is_lower_or_digit(c) && ((c != '-' && c != '_') || begins || ends)) return false;
    begins = false;
  }
  return true;
}

Faults sysctl_faults(std::string_view text) {
  if (is_sysctl_name(text)) return {};
  return {
      "must have at most 253 characters and match regex "
      "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$"};
}

// tools/rules/compile.mjs reads the names: programs have the numbers of the rows.
struct FormatRow {
  constexpr FormatRow(std::string_view /*name*/, Format its_format, Format when_lenient = nullptr)
      : format(its_format), lenient(when_lenient) {}
  Format format;
  Format lenient;  // without the feature gate for strict addresses; null: the same
};

constexpr FormatRow kFormats[] = {
    {"subdomain", &dns1123_subdomain_faults},
    {"label", &dns1123_label_faults},
    {"label1035", &dns1035_label_faults},
    {"qualified", &qualified_name_faults},
    {"lower-subdomain", &lower_subdomain_faults},
    {"label-value", &label_value_faults},
    {"segment", &path_segment_faults},
    {"prefixed-path", &prefixed_path_faults},
    {"port-name", &port_name_faults},
    {"host", &host_faults},
    {"rule-host", &rule_host_faults},
    {"balancer-host", &load_balancer_host_faults},
    {"wildcard", &wildcard_faults},
    {"env-name", &environment_name_faults},
    {"header-name", &header_name_faults},
    {"sysctl", &sysctl_faults},
    {"ip", &ip_faults, &any_ip_faults},
    {"cidr", &cidr_faults, &any_cidr_faults},
    {"endpoint-ip", &endpoint_ip_faults},
    {"external-ip", &external_ip_faults, &any_external_ip_faults},
    {"canonical-ip", &canonical_ip_faults},
    {"canonical-cidr", &canonical_cidr_faults},
    {"interface-address", &interface_address_faults},
    {"identifier", &c_identifier_faults},
    {"fqdn", &fqdn_faults},
    {"qualified-domain", &qualified_domain_faults},
    {"config-key", &config_key_faults},
    {"joined-label-value", &joined_label_value_faults},
    {"cname", &cname_faults},
    {"condition-reason", &condition_reason_faults},
};

bool is_strict(const Capabilities& capabilities) {
  return capabilities.enabled("StrictIPCIDRValidation");
}

}  // namespace

Format format_at(std::size_t number, const Capabilities& capabilities) {
  const FormatRow& row = kFormats[number];
  return row.lenient == nullptr || is_strict(capabilities) ? row.format : row.lenient;
}

Format ip_format(const Capabilities& capabilities) {
  return is_strict(capabilities) ? &ip_faults : &any_ip_faults;
}

Format cidr_format(const Capabilities& capabilities) {
  return is_strict(capabilities) ? &cidr_faults : &any_cidr_faults;
}

Faults endpoint_ip_faults(std::string_view text) {
  const auto ip = parse_ip(text);
  if (!ip) return {"must be a valid IP address"};
  Faults faults;
  if (ip->is_unspecified()) {
    faults.push_back("may not be unspecified (" + std::string(text) + ")");
  }
  if (ip->is_loopback()) {
    faults.emplace_back("may not be in the loopback range (127.0.0.0/8, ::1/128)");
  }
  if (ip->is_link_local()) {
    faults.emplace_back("may not be in the link-local range (169.254.0.0/16, fe80::/10)");
  }
  if (ip->is_link_local_multicast()) {
    faults.emplace_back("may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
  }
  return faults;
}

Faults canonical_ip_faults(std::string_view text) {
  const auto ip = parse_ip(text);
  return canonical(text, ip_faults(text), ip ? ip->to_string() : std::string());
}

Faults canonical_cidr_faults(std::string_view text) {
  const auto range = parse_ip_range(text);
  return canonical(text, cidr_faults(text), range ? range->to_string() : std::string());
}

Faults c_identifier_faults(std::string_view text) {
  const auto fits = [](char c) { return is_word_character(c); };
  if (!text.empty() && !is_digit(text[0]) && std::all_of(text.begin(), text.end(), fits)) return {};
  return {
      "a valid C identifier must start with alphabetic character or '_', followed by a string of "
      "alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for "
      "validation is '[A-Za-z_][A-Za-z0-9_]*')"};
}

Faults port_name_faults(std::string_view text) {
  Faults faults;
  if (text.size() > 15) faults.emplace_back("must be no more than 15 characters");
  const auto fits = [](char c) { return is_lower(c) || is_digit(c) || c == '-'; };
  if (text.empty() || !std::all_of(text.begin(), text.end(), fits)) {
    faults.emplace_back("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  }
  if (std::none_of(text.begin(), text.end(), is_lower)) {
    faults.emplace_back("must contain at least one letter (a-z)");
  }
  if (text.find("--") != std::string_view::npos) {
    faults.emplace_back("must not contain consecutive hyphens");
  }
  if (!text.empty() && (text.front() == '-' || text.back() == '-')) {
    faults.emplace_back("must not begin or end with a hyphen");
  }
  return faults;
}

Faults ip_faults(std::string_view text) {
  const auto ip = parse_ip(text);
  if (!ip) return {"must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"};
  Faults faults;
  if (ip->leading_zeros) {
    faults.emplace_back("must not have leading 0s");
  } else if (ip->mapped) {
    faults.emplace_back("must not be an IPv4-mapped IPv6 address");
  }
  return faults;
}

Faults cidr_faults(std::string_view text) {
  const auto range = parse_ip_range(text);
  if (!range) return {"must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"};
  if (range->leading_zeros) return {"must not have leading 0s in IP or prefix length"};
  if (range->address.mapped) return {"must not have an IPv4-mapped IPv6 address"};
  if (range->network().bytes != range->address.bytes) {
    return {"must not have bits set beyond the prefix length"};
  }
  return {};
}

}  // namespace tabernetes::registry::validation
