// Who is trusted to be the server that a webhook's URL names.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tabernetes::host {

// Kept on one thread: reading the system's certificates takes some 20 ms.
class TlsTrust {
 public:
  // For connections to servers that `ca_bundle` (PEM) vouches for, or the system if it is empty.
  // Null, with the reason, if it has no certificate.
  std::shared_ptr<boost::asio::ssl::context> of(const std::string& ca_bundle, std::string& fault);

 private:
  std::vector<std::pair<std::string, std::shared_ptr<boost::asio::ssl::context>>> kept_;
};

// Has `connection` (a connection of OpenSSL) take only a certificate for `server_name`, a host name
// or an IP address. `on_fault` gets the reason of a refusal, in the words of Go's crypto/tls.
void expect_server(SSL* connection, const std::string& server_name);

// Why the certificate that `verified` is about is refused.
std::string certificate_fault(X509_STORE_CTX* verified, const std::string& server_name);

}  // namespace tabernetes::host
