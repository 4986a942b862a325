#include "tls_server.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <memory>
#include <stdexcept>
#include <string_view>

namespace tabernetes::host {
namespace {

namespace asio = boost::asio;
namespace ssl = boost::asio::ssl;
using boost::system::error_code;
using Trust = ClientCertificate::Trust;

struct FreeStore {
  void operator()(X509_STORE* store) const { X509_STORE_free(store); }
};
using Store = std::unique_ptr<X509_STORE, FreeStore>;

// In the order of preference, each with its length.
constexpr unsigned char kProtocols[] = "\x02h2\x08http/1.1";

int choose_protocol(SSL*, const unsigned char** chosen, unsigned char* size,
                    const unsigned char* offered, unsigned offered_size, void*) {
  unsigned char* found = nullptr;
  const int outcome =
      SSL_select_next_proto(&found, size, kProtocols, sizeof kProtocols - 1, offered, offered_size);
  *chosen = found;
  return outcome == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

// Adds the certificates of `pem` to a store, and their names to what clients are told.
Store make_store(const std::string& pem, SSL_CTX* context) {
  if (pem.empty()) return nullptr;
  Store store(X509_STORE_new());
  // Every certificate of the file is trusted, also one that another signs.
  X509_STORE_set_flags(store.get(), X509_V_FLAG_PARTIAL_CHAIN);
  BIO* bio = BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()));
  int count = 0;
  while (X509* one = PEM_read_bio_X509(bio, nullptr, nullptr, nullptr)) {
    X509_STORE_add_cert(store.get(), one);
    SSL_CTX_add_client_CA(context, one);
    X509_free(one);
    ++count;
  }
  BIO_free(bio);
  ERR_clear_error();
  if (count == 0) throw std::runtime_error("no certificate of an authority in PEM");
  return store;
}

bool is_trusted(X509_STORE* store, X509* leaf, STACK_OF(X509) * others) {
  X509_STORE_CTX* checked = X509_STORE_CTX_new();
  bool good = X509_STORE_CTX_init(checked, store, leaf, others) == 1;
  if (good) {
    X509_STORE_CTX_set_purpose(checked, X509_PURPOSE_SSL_CLIENT);
    good = X509_verify_cert(checked) == 1;
  }
  X509_STORE_CTX_free(checked);
  ERR_clear_error();
  return good;
}

std::string utf8_of(const ASN1_STRING* value) {
  unsigned char* text = nullptr;
  const int size = ASN1_STRING_to_UTF8(&text, value);
  if (size < 0) return {};
  std::string copy(reinterpret_cast<const char*>(text), static_cast<std::size_t>(size));
  OPENSSL_free(text);
  return copy;
}

std::vector<std::string> texts_of(const X509_NAME* name, int field) {
  std::vector<std::string> texts;
  for (int at = -1; (at = X509_NAME_get_index_by_NID(name, field, at)) >= 0;) {
    texts.push_back(utf8_of(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, at))));
  }
  return texts;
}

// The same for a field by its object identifier.
std::vector<std::string> texts_of_identifier(const X509_NAME* name, const char* identifier) {
  std::vector<std::string> texts;
  const std::unique_ptr<ASN1_OBJECT, decltype(&ASN1_OBJECT_free)> field(OBJ_txt2obj(identifier, 1),
                                                                        &ASN1_OBJECT_free);
  for (int at = -1; (at = X509_NAME_get_index_by_OBJ(name, field.get(), at)) >= 0;) {
    texts.push_back(utf8_of(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, at))));
  }
  return texts;
}

std::string fingerprint_of(const X509* certificate) {
  unsigned char hash[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  if (X509_digest(certificate, EVP_sha256(), hash, &size) != 1) return {};
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (unsigned i = 0; i < size; ++i) {
    text += kDigits[hash[i] >> 4];
    text += kDigits[hash[i] & 15];
  }
  return text;
}

void use(ssl::context& context, const Certificate& certificate) {
  error_code error;
  context.use_certificate_chain(asio::buffer(certificate.pem), error);
  if (error) throw std::runtime_error("the certificate is not PEM: " + error.message());
  context.use_private_key(asio::buffer(certificate.key), ssl::context::pem, error);
  if (error) throw std::runtime_error("the key does not fit the certificate: " + error.message());
}

}  // namespace

struct TlsServer::Impl {
  Impl() : context(ssl::context::tls_server) {}

  ssl::context context;
  std::vector<std::unique_ptr<ssl::context>> for_names;
  Store users, proxies;
  std::vector<std::string> proxy_names;
};

namespace {

// Takes the first context whose certificate is for the name that the client asks for.
int choose_certificate(SSL* connection, int*, void* contexts) {
  const char* name = SSL_get_servername(connection, TLSEXT_NAMETYPE_host_name);
  if (name == nullptr) return SSL_TLSEXT_ERR_NOACK;
  for (const auto& each : *static_cast<std::vector<std::unique_ptr<ssl::context>>*>(contexts)) {
    X509* certificate = SSL_CTX_get0_certificate(each->native_handle());
    if (X509_check_host(certificate, name, 0, 0, nullptr) != 1) continue;
    SSL_set_SSL_CTX(connection, each->native_handle());
    break;
  }
  return SSL_TLSEXT_ERR_OK;
}

}  // namespace

TlsServer::TlsServer(const TlsSettings& settings) : impl_(std::make_unique<Impl>()) {
  SSL_CTX* const context = impl_->context.native_handle();
  use(impl_->context, settings.own);
  SSL_CTX_set_min_proto_version(context, settings.least_version);
  SSL_CTX_set_alpn_select_cb(context, &choose_protocol, nullptr);
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  for (const Certificate& each : settings.for_names) {
    impl_->for_names.push_back(std::make_unique<ssl::context>(ssl::context::tls_server));
    use(*impl_->for_names.back(), each);
  }
  if (!impl_->for_names.empty()) {
    SSL_CTX_set_tlsext_servername_callback(context, &choose_certificate);
    SSL_CTX_set_tlsext_servername_arg(context, &impl_->for_names);
  }
  impl_->users = make_store(settings.user_authorities, context);
  impl_->proxies = make_store(settings.proxy_authorities, context);
  impl_->proxy_names = settings.proxies;
  if (impl_->users || impl_->proxies) {
    // Every certificate gets through the handshake: it is judged with the request. A resumed
    // session would lack the certificates between the client's and the authority's.
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, [](int, X509_STORE_CTX*) { return 1; });
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
    SSL_CTX_set_num_tickets(context, 0);
  }
}

TlsServer::~TlsServer() = default;

ssl::context& TlsServer::context() { return impl_->context; }

std::shared_ptr<const ClientCertificate> TlsServer::certificate_of(SSL* connection) const {
  X509* const leaf = SSL_get0_peer_certificate(connection);
  if (leaf == nullptr) return nullptr;
  STACK_OF(X509)* const others = SSL_get_peer_cert_chain(connection);
  const X509_NAME* const subject = X509_get_subject_name(leaf);
  auto made = std::make_shared<ClientCertificate>();
  const std::vector<std::string> names = texts_of(subject, NID_commonName);
  if (!names.empty()) made->common_name = names.back();  // as Go, the last
  made->organizations = texts_of(subject, NID_organizationName);
  made->uids = texts_of_identifier(subject, "1.3.6.1.4.1.57683.2");
  made->fingerprint = fingerprint_of(leaf);
  if (impl_->users) {
    made->as_user =
        is_trusted(impl_->users.get(), leaf, others) ? Trust::kTrusted : Trust::kRefused;
  }
  if (impl_->proxies) {
    const std::vector<std::string>& allowed = impl_->proxy_names;
    const bool named = allowed.empty() || std::find(allowed.begin(), allowed.end(),
                                                    made->common_name) != allowed.end();
    made->as_proxy =
        named && is_trusted(impl_->proxies.get(), leaf, others) ? Trust::kTrusted : Trust::kRefused;
  }
  return made;
}

bool speaks_http2(const SSL* connection) {
  const unsigned char* name = nullptr;
  unsigned size = 0;
  SSL_get0_alpn_selected(connection, &name, &size);
  return std::string_view(reinterpret_cast<const char*>(name), size) == "h2";
}

}  // namespace tabernetes::host
