// Verifies the certificates of webhook servers.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tabernetes::host {

// Caches trust stores, on one thread: reading the system's certificates takes some 20 ms.
class TlsTrust {
 public:
  // Returns a context that trusts `ca_bundle` (PEM), or the system's authorities if it is empty.
  // Returns null and sets `fault` if the bundle has no certificate.
  std::shared_ptr<boost::asio::ssl::context> of(const std::string& ca_bundle, std::string& fault);

 private:
  std::vector<std::pair<std::string, std::shared_ptr<boost::asio::ssl::context>>> kept_;
};

// Makes `connection` accept only a certificate for `server_name`, a host name or an IP address.
// `on_fault` gets the reason of a refusal, in the words of Go's crypto/tls.
void expect_server(SSL* connection, const std::string& server_name);

// Returns the reason why the certificate of `verified` is refused.
std::string certificate_fault(X509_STORE_CTX* verified, const std::string& server_name);

}  // namespace tabernetes::host
