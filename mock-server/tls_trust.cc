#include "tls_trust.h"

#include <openssl/x509v3.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/address.hpp>
#include <ctime>
#include <string_view>

namespace tabernetes::host {
namespace {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;

constexpr std::size_t kKept = 16;

bool is_ip(const std::string& name) {
  error_code error;
  boost::asio::ip::make_address(name, error);
  return !error;
}

std::string rfc3339(const std::tm& time) {
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &time)};
}

// Returns an error, empty if the certificate is valid now.
std::string time_fault(const X509* certificate) {
  const ASN1_TIME* from = X509_get0_notBefore(certificate);
  const ASN1_TIME* to = X509_get0_notAfter(certificate);
  const bool early = X509_cmp_current_time(from) > 0;
  if (!early && X509_cmp_current_time(to) > 0) return {};
  const std::time_t seconds = std::time(nullptr);
  std::tm now{}, limit{};
  ::gmtime_r(&seconds, &now);
  ASN1_TIME_to_tm(early ? from : to, &limit);
  return "certificate has expired or is not yet valid: current time " + rfc3339(now) +
         (early ? " is before " : " is after ") + rfc3339(limit);
}

struct AlternativeNames {
  bool any = false;
  std::vector<std::string> dns, ips;
};

std::string ip_text(const ASN1_OCTET_STRING& bytes) {
  const unsigned char* data = ASN1_STRING_get0_data(&bytes);
  if (ASN1_STRING_length(&bytes) == 4) {
    boost::asio::ip::address_v4::bytes_type v4;
    std::copy_n(data, v4.size(), v4.begin());
    return boost::asio::ip::address_v4(v4).to_string();
  }
  if (ASN1_STRING_length(&bytes) != 16) return "?";
  boost::asio::ip::address_v6::bytes_type v6;
  std::copy_n(data, v6.size(), v6.begin());
  return boost::asio::ip::address_v6(v6).to_string();
}

AlternativeNames names_of(const X509* certificate) {
  AlternativeNames names;
  auto* all = static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr));
  names.any = all != nullptr;
  for (int i = 0; i < sk_GENERAL_NAME_num(all); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(all, i);
    if (name->type == GEN_DNS) {
      const auto* data = reinterpret_cast<const char*>(ASN1_STRING_get0_data(name->d.dNSName));
      names.dns.emplace_back(data, static_cast<std::size_t>(ASN1_STRING_length(name->d.dNSName)));
    } else if (name->type == GEN_IPADD) {
      names.ips.push_back(ip_text(*name->d.iPAddress));
    }
  }
  GENERAL_NAMES_free(all);
  return names;
}

bool is_for(X509* certificate, const std::string& name, unsigned flags) {
  if (is_ip(name)) return X509_check_ip_asc(certificate, name.c_str(), 0) == 1;
  return X509_check_host(certificate, name.data(), name.size(), flags, nullptr) == 1;
}

constexpr unsigned kNameRules =
    X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS;

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

bool has_common_name(const X509* certificate, const std::string& name) {
  char text[256];
  const int size = X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName,
                                             text, sizeof text);
  return size > 0 && name == std::string_view(text, static_cast<std::size_t>(size));
}

// Returns an error, empty if the certificate is for `name`.
std::string name_fault(X509* certificate, const std::string& name) {
  if (is_for(certificate, name, kNameRules)) return {};
  const AlternativeNames names = names_of(certificate);
  if (!names.any && has_common_name(certificate, name)) {
    return "certificate relies on legacy Common Name field, use SANs instead";
  }
  const bool ip = is_ip(name);
  const std::vector<std::string>& valid = ip ? names.ips : names.dns;
  if (!valid.empty()) return "certificate is valid for " + joined(valid) + ", not " + name;
  if (!ip) return "certificate is not valid for any names, but wanted to match " + name;
  return "cannot validate certificate for " + name + " because it doesn't contain any IP SANs";
}

}  // namespace

std::shared_ptr<ssl::context> TlsTrust::of(const TlsIdentity& identity, std::string& fault) {
  const std::string& ca_bundle = identity.ca_bundle;
  for (const auto& [known, context] : kept_) {
    if (known == identity) return context;
  }
  auto made = std::make_shared<ssl::context>(ssl::context::tls_client);
  made->set_options(ssl::context::no_tlsv1 | ssl::context::no_tlsv1_1);
  made->set_verify_mode(identity.unverified ? ssl::verify_none : ssl::verify_peer);
  // Every certificate of the bundle is trusted, also a server's own.
  X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(made->native_handle()), X509_V_FLAG_PARTIAL_CHAIN);
  error_code error;
  if (ca_bundle.find_first_not_of(" \t\r\n") == std::string::npos) {
    made->set_default_verify_paths(error);
  } else {
    made->add_certificate_authority(boost::asio::buffer(ca_bundle), error);
  }
  if (error) {
    fault = "unable to load root certificates: unable to parse bytes as PEM block";
    return nullptr;
  }
  if (!identity.certificate.empty()) {
    made->use_certificate_chain(boost::asio::buffer(identity.certificate), error);
    if (!error) {
      made->use_private_key(boost::asio::buffer(identity.key), ssl::context::pem, error);
    }
    if (error) {
      fault = "tls: failed to find any PEM data in certificate or key input";
      return nullptr;
    }
  }
  if (kept_.size() == kKept) kept_.erase(kept_.begin());
  kept_.emplace_back(identity, made);
  return made;
}

void expect_server(SSL* connection, const std::string& server_name) {
  if (is_ip(server_name)) {
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(connection), server_name.c_str());
    return;
  }
  SSL_set_tlsext_host_name(connection, server_name.c_str());
  SSL_set_hostflags(connection, kNameRules);
  SSL_set1_host(connection, server_name.c_str());
}

std::string certificate_fault(X509_STORE_CTX* verified, const std::string& server_name) {
  X509* const leaf = X509_STORE_CTX_get0_cert(verified);
  const int error = X509_STORE_CTX_get_error(verified);
  std::string fault = time_fault(leaf);
  if (fault.empty()) fault = name_fault(leaf, server_name);
  if (fault.empty() && error == X509_V_ERR_INVALID_PURPOSE) {
    fault = "certificate specifies an incompatible key usage";
  }
  if (fault.empty()) {
    if (const X509* other = X509_STORE_CTX_get_current_cert(verified)) fault = time_fault(other);
  }
  if (fault.empty()) fault = "certificate signed by unknown authority";
  return "tls: failed to verify certificate: x509: " + fault;
}

}  // namespace tabernetes::host
