#include "controllers/access/certificate_checks.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "base/text/base64.h"
#include "json/access.h"

namespace tabernetes::controllers {
namespace {

using json::Value;
using Usages = std::set<std::string_view>;

constexpr std::int64_t kLongestLife = 365 * 24 * 60 * 60;  // seconds, upstream's default
constexpr std::int64_t kShortestLife = 10 * 60;

struct UsageName {
  std::string_view usage, name;
};

constexpr UsageName kKeyUsages[] = {{"signing", "digitalSignature"},
                                    {"digital signature", "digitalSignature"},
                                    {"content commitment", "nonRepudiation"},
                                    {"key encipherment", "keyEncipherment"},
                                    {"key agreement", "keyAgreement"},
                                    {"data encipherment", "dataEncipherment"},
                                    {"cert sign", "keyCertSign"},
                                    {"crl sign", "cRLSign"},
                                    {"encipher only", "encipherOnly"},
                                    {"decipher only", "decipherOnly"}};

// In the order of a certificate that Go makes.
constexpr UsageName kExtendedKeyUsages[] = {{"any", "2.5.29.37.0"},
                                            {"server auth", "1.3.6.1.5.5.7.3.1"},
                                            {"client auth", "1.3.6.1.5.5.7.3.2"},
                                            {"code signing", "1.3.6.1.5.5.7.3.3"},
                                            {"email protection", "1.3.6.1.5.5.7.3.4"},
                                            {"s/mime", "1.3.6.1.5.5.7.3.4"},
                                            {"ipsec end system", "1.3.6.1.5.5.7.3.5"},
                                            {"ipsec tunnel", "1.3.6.1.5.5.7.3.6"},
                                            {"ipsec user", "1.3.6.1.5.5.7.3.7"},
                                            {"timestamping", "1.3.6.1.5.5.7.3.8"},
                                            {"ocsp signing", "1.3.6.1.5.5.7.3.9"},
                                            {"microsoft sgc", "1.3.6.1.4.1.311.10.3.3"},
                                            {"netscape sgc", "2.16.840.1.113730.4.1"}};

Usages usages_of(const Value& request) {
  Usages usages;
  for (const Value& usage : items_at(request, {"spec", "usages"})) usages.insert(text_of(usage));
  return usages;
}

// Returns the names of those usages that are in the table, each once, in its order.
template <std::size_t kCount>
std::vector<std::string> names_of(const Usages& usages, const UsageName (&table)[kCount]) {
  std::vector<std::string> names;
  for (const UsageName& row : table) {
    if (usages.count(row.usage) == 0) continue;
    if (std::find(names.begin(), names.end(), row.name) == names.end()) {
      names.emplace_back(row.name);
    }
  }
  return names;
}

std::string kubelet_usage_fault(const Usages& usages, std::string_view purpose) {
  const Usages least = {"digital signature", purpose};
  Usages usual = least;
  usual.insert("key encipherment");
  if (usages == least || usages == usual) return {};
  std::string fault = "usages did not match [";
  for (const std::string_view usage : usual) {
    fault.append(fault.back() == '[' ? "" : " ").append(usage);
  }
  return fault + "]";
}

constexpr std::string_view kNotSystemNodes = "subject organization is not system:nodes";
constexpr std::string_view kNotSystemNode = "subject common name does not begin with system:node:";

bool is_of_nodes(const RequestSubject& subject) {
  return subject.organizations == std::vector<std::string>{"system:nodes"};
}

bool is_of_node(const RequestSubject& subject) {
  return subject.common_name.starts_with("system:node:");
}

std::string not_allowed(std::string_view kind) {
  return std::string(kind) + " subjectAltNames are not allowed";
}

std::string serving_fault(const RequestSubject& subject, const Usages& usages) {
  if (!is_of_nodes(subject)) return std::string(kNotSystemNodes);
  if (subject.dns_names == 0 && subject.addresses == 0) {
    return "DNS or IP subjectAltName is required";
  }
  if (subject.emails > 0) return not_allowed("Email");
  if (subject.uris > 0) return not_allowed("URI");
  std::string fault = kubelet_usage_fault(usages, "server auth");
  if (fault.empty() && !is_of_node(subject)) fault = kNotSystemNode;
  return fault;
}

std::string kubelet_client_fault(const RequestSubject& subject, const Usages& usages) {
  if (!is_of_nodes(subject)) return std::string(kNotSystemNodes);
  if (subject.dns_names > 0) return not_allowed("DNS");
  if (subject.emails > 0) return not_allowed("Email");
  if (subject.addresses > 0) return not_allowed("IP");
  if (subject.uris > 0) return not_allowed("URI");
  if (!is_of_node(subject)) return std::string(kNotSystemNode);
  return kubelet_usage_fault(usages, "client auth");
}

std::string client_fault(const Value& request) {
  bool for_clients = false;
  for (const Value& usage : items_at(request, {"spec", "usages"})) {
    const std::string_view name = text_of(usage);
    if (name == "client auth") {
      for_clients = true;
    } else if (name != "digital signature" && name != "key encipherment") {
      return "invalid usage for client certificate: " + std::string(name);
    }
  }
  return for_clients ? "" : "missing required usage for client certificate: client auth";
}

}  // namespace

RequestSubject subject_of(const Value& request) {
  return read_request_subject(
      base64_decode(text_at(request, {"spec", "request"})).value_or(std::string()));
}

std::optional<std::string> signer_fault(std::string_view signer, const RequestSubject& subject,
                                        const Value& request) {
  if (signer == kClientSigner) return client_fault(request);
  if (signer == kKubeletClientSigner) return kubelet_client_fault(subject, usages_of(request));
  if (signer == kKubeletServingSigner) return serving_fault(subject, usages_of(request));
  if (signer == kLegacySigner) return std::string();
  return std::nullopt;
}

CertificateOrder order_of(const Value& request) {
  const Usages usages = usages_of(request);
  std::int64_t seconds = kLongestLife;
  if (has(request, {"spec", "expirationSeconds"})) {
    seconds =
        std::clamp(number_at(request, {"spec", "expirationSeconds"}), kShortestLife, kLongestLife);
  }
  return {.request = base64_decode(text_at(request, {"spec", "request"})).value_or(std::string()),
          .key_usages = names_of(usages, kKeyUsages),
          .extended_key_usages = names_of(usages, kExtendedKeyUsages),
          .life = Duration::from_seconds(seconds)};
}

bool has_condition(const Value& request, std::string_view type, bool only_true) {
  const auto conditions = items_at(request, {"status", "conditions"});
  return std::any_of(conditions.begin(), conditions.end(), [&](const Value& condition) {
    return condition.string_at("type") == type &&
           (!only_true || condition.string_at("status") == "True");
  });
}

}  // namespace tabernetes::controllers
