#include "certificate_maker.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <boost/asio/ip/address.hpp>
#include <memory>
#include <stdexcept>

namespace tabernetes::host {
namespace {

constexpr long kDay = 24 * 60 * 60;
constexpr long kAuthorityLife = 3650 * kDay;
constexpr long kLife = 365 * kDay;
constexpr long kLeeway = 5 * 60;      // for clocks that are slow
constexpr long kShort = 8 * 60 * 60;  // a life that is not shortened by the leeway

template <auto kFree>
struct Free {
  template <class T>
  void operator()(T* owned) const {
    kFree(owned);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Free<&EVP_PKEY_free>>;
using X509Owner = std::unique_ptr<X509, Free<&X509_free>>;
using Bio = std::unique_ptr<BIO, Free<&BIO_free_all>>;
using Extension = std::unique_ptr<X509_EXTENSION, Free<&X509_EXTENSION_free>>;

using RequestOwner = std::unique_ptr<X509_REQ, Free<&X509_REQ_free>>;
struct FreeExtensions {
  void operator()(STACK_OF(X509_EXTENSION) * owned) const {
    sk_X509_EXTENSION_pop_free(owned, X509_EXTENSION_free);
  }
};
using Extensions = std::unique_ptr<STACK_OF(X509_EXTENSION), FreeExtensions>;

void need(bool good, const char* what) {
  if (!good) throw std::runtime_error(std::string("cannot make a certificate: ") + what);
}

std::string memory_text(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  return std::string(data, static_cast<std::size_t>(size));
}

std::string to_pem(X509* certificate) {
  const Bio text(BIO_new(BIO_s_mem()));
  need(PEM_write_bio_X509(text.get(), certificate) == 1, "PEM");
  return memory_text(text.get());
}

Certificate to_pem(X509* certificate, EVP_PKEY* key) {
  const Bio second(BIO_new(BIO_s_mem()));
  // `EC PRIVATE KEY` (RFC 5915): fabric8's Kubernetes client takes every `PRIVATE KEY` for one of
  // RSA.
  need(PEM_write_bio_PrivateKey_traditional(second.get(), key, nullptr, nullptr, 0, nullptr,
                                            nullptr) == 1,
       "PEM");
  return {to_pem(certificate), memory_text(second.get())};
}

void add_name(X509_NAME* name, const char* field, const std::string& value) {
  need(X509_NAME_add_entry_by_txt(name, field, MBSTRING_UTF8,
                                  reinterpret_cast<const unsigned char*>(value.data()),
                                  static_cast<int>(value.size()), -1, 0) == 1,
       "its subject");
}

void add_extension(X509* certificate, X509* issuer, int which, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const Extension extension(X509V3_EXT_conf_nid(nullptr, &context, which, value.c_str()));
  need(extension != nullptr && X509_add_ext(certificate, extension.get(), -1) == 1, "an extension");
}

bool is_address(const std::string& name) {
  boost::system::error_code error;
  boost::asio::ip::make_address(name, error);
  return !error;
}

// Returns an unsigned certificate of `key` with a random serial number and without a subject.
X509Owner blank(EVP_PKEY* key, long life) {
  X509Owner made(X509_new());
  need(key != nullptr && made != nullptr, "its key");
  X509_set_version(made.get(), X509_VERSION_3);
  std::uint64_t serial = 0;
  need(RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial) == 1, "its number");
  ASN1_INTEGER_set_uint64(X509_get_serialNumber(made.get()), serial >> 1 | 1);
  X509_gmtime_adj(X509_getm_notBefore(made.get()), -kLeeway);
  X509_gmtime_adj(X509_getm_notAfter(made.get()), life);
  X509_set_pubkey(made.get(), key);
  return made;
}

X509Owner blank(EVP_PKEY* key, const CertificateWish& wish, long life) {
  X509Owner made = blank(key, life);
  X509_NAME* subject = X509_get_subject_name(made.get());
  for (const std::string& one : wish.organizations) add_name(subject, "O", one);
  add_name(subject, "CN", wish.common_name);
  return made;
}

Key new_key() { return Key(EVP_EC_gen("P-256")); }

std::string alternative_names(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) {
    all += (all.empty() ? "" : ",") + std::string(is_address(name) ? "IP:" : "DNS:") + name;
  }
  return all;
}

struct Issuer {
  X509Owner ca;
  Key key;
};

// Throws std::runtime_error if the authority is not usable.
Issuer parse(const Certificate& authority) {
  const Bio ca_text(BIO_new_mem_buf(authority.pem.data(), static_cast<int>(authority.pem.size())));
  const Bio key_text(BIO_new_mem_buf(authority.key.data(), static_cast<int>(authority.key.size())));
  Issuer issuer{X509Owner(PEM_read_bio_X509(ca_text.get(), nullptr, nullptr, nullptr)),
                Key(PEM_read_bio_PrivateKey(key_text.get(), nullptr, nullptr, nullptr))};
  need(issuer.ca != nullptr && issuer.key != nullptr,
       "the authority's certificate or key is not PEM");
  need(X509_check_private_key(issuer.ca.get(), issuer.key.get()) == 1,
       "the authority's key is that of another certificate");
  return issuer;
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : ",") + text;
  return all;
}

// Adds the alternative names of the request, if it has any.
void copy_names(X509_REQ* request, X509* certificate) {
  const Extensions wanted(X509_REQ_get_extensions(request));
  if (wanted == nullptr) return;
  const int at = X509v3_get_ext_by_NID(wanted.get(), NID_subject_alt_name, -1);
  if (at < 0) return;
  need(X509_add_ext(certificate, X509v3_get_ext(wanted.get(), at), -1) == 1,
       "its alternative names");
}

std::string sign(const Certificate& authority, const CertificateOrder& order) {
  const auto [ca, ca_key] = parse(authority);
  const Bio text(BIO_new_mem_buf(order.request.data(), static_cast<int>(order.request.size())));
  const RequestOwner request(PEM_read_bio_X509_REQ(text.get(), nullptr, nullptr, nullptr));
  if (request == nullptr) throw std::runtime_error("unable to parse certificate request");
  EVP_PKEY* key = X509_REQ_get0_pubkey(request.get());
  if (key == nullptr || X509_REQ_verify(request.get(), key) != 1) {
    throw std::runtime_error("unable to verify certificate request signature");
  }
  const auto life =
      static_cast<long>(order.life.nanoseconds / Duration::from_seconds(1).nanoseconds);
  const X509Owner made = blank(key, life < kShort ? life : life - kLeeway);
  if (ASN1_TIME_compare(X509_get0_notAfter(made.get()), X509_get0_notAfter(ca.get())) > 0) {
    X509_set1_notAfter(made.get(), X509_get0_notAfter(ca.get()));
  }
  X509_set_subject_name(made.get(), X509_REQ_get_subject_name(request.get()));
  X509_set_issuer_name(made.get(), X509_get_subject_name(ca.get()));
  if (!order.key_usages.empty()) {
    add_extension(made.get(), ca.get(), NID_key_usage, "critical," + joined(order.key_usages));
  }
  if (!order.extended_key_usages.empty()) {
    add_extension(made.get(), ca.get(), NID_ext_key_usage, joined(order.extended_key_usages));
  }
  add_extension(made.get(), ca.get(), NID_basic_constraints, "critical,CA:FALSE");
  add_extension(made.get(), ca.get(), NID_authority_key_identifier, "keyid");
  copy_names(request.get(), made.get());
  need(X509_sign(made.get(), ca_key.get(), EVP_sha256()) > 0, "its signature");
  return to_pem(made.get());
}

}  // namespace

Expected<std::string> sign_order(const Certificate& authority, const CertificateOrder& order) {
  try {
    return sign(authority, order);
  } catch (const std::runtime_error& error) {
    return Fault{error.what()};
  }
}

Certificate make_authority(const std::string& common_name) {
  const Key key = new_key();
  const X509Owner made = blank(
      key.get(), {.common_name = common_name, .organizations = {}, .names = {}}, kAuthorityLife);
  X509_set_issuer_name(made.get(), X509_get_subject_name(made.get()));
  add_extension(made.get(), made.get(), NID_basic_constraints, "critical,CA:TRUE");
  add_extension(made.get(), made.get(), NID_key_usage,
                "critical,digitalSignature,keyEncipherment,keyCertSign");
  add_extension(made.get(), made.get(), NID_subject_key_identifier, "hash");
  need(X509_sign(made.get(), key.get(), EVP_sha256()) > 0, "its signature");
  return to_pem(made.get(), key.get());
}

Certificate issue_certificate(const Certificate& authority, const CertificateWish& wish) {
  const auto [ca, ca_key] = parse(authority);
  const Key key = new_key();
  const X509Owner made = blank(key.get(), wish, kLife);
  X509_set_issuer_name(made.get(), X509_get_subject_name(ca.get()));
  add_extension(made.get(), ca.get(), NID_basic_constraints, "critical,CA:FALSE");
  add_extension(made.get(), ca.get(), NID_key_usage, "critical,digitalSignature,keyEncipherment");
  add_extension(made.get(), ca.get(), NID_ext_key_usage,
                wish.names.empty() ? "clientAuth" : "serverAuth");
  add_extension(made.get(), ca.get(), NID_authority_key_identifier, "keyid");
  if (!wish.names.empty()) {
    add_extension(made.get(), ca.get(), NID_subject_alt_name, alternative_names(wish.names));
  }
  need(X509_sign(made.get(), ca_key.get(), EVP_sha256()) > 0, "its signature");
  return to_pem(made.get(), key.get());
}

}  // namespace tabernetes::host
