// Verifies the certificates of webhook servers.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tabernetes::host {

// Whom a connection trusts and as whom it shows itself.
struct TlsIdentity {
  std::string ca_bundle;         // PEM; empty: the system's authorities are trusted
  std::string certificate, key;  // PEM; empty: none is shown
  bool unverified = false;       // trusts everybody
  friend bool operator==(const TlsIdentity&, const TlsIdentity&) = default;
};

// Caches trust stores, on one thread: reading the system's certificates takes some 20 ms.
class TlsTrust {
 public:
  // Returns null and sets `fault` if the bundle has no certificate, or the key is not usable.
  std::shared_ptr<boost::asio::ssl::context> of(const TlsIdentity& identity, std::string& fault);

 private:
  std::vector<std::pair<TlsIdentity, std::shared_ptr<boost::asio::ssl::context>>> kept_;
};

// Makes `connection` accept only a certificate for `server_name`, a host name or an IP address.
// `on_fault` gets the reason of a refusal, in the words of Go's crypto/tls.
void expect_server(SSL* connection, const std::string& server_name);

// Returns the reason why the certificate of `verified` is refused.
std::string certificate_fault(X509_STORE_CTX* verified, const std::string& server_name);

}  // namespace tabernetes::host
