// The server's side of TLS: its certificates, the protocols it speaks, and what it thinks of the
// certificates of clients.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <memory>
#include <string>
#include <vector>

#include "certificate_maker.h"
#include "tabernetes/http.h"

namespace tabernetes::host {

struct TlsSettings {
  // The certificate with those that sign it, and its key; then those for other names: a client that
  // asks for one of these gets it.
  Certificate own;
  std::vector<Certificate> for_names;
  int least_version = 0;             // as OpenSSL numbers it: TLS1_2_VERSION
  std::string user_authorities;      // PEM; empty: clients are asked for no certificate
  std::string proxy_authorities;     // PEM
  std::vector<std::string> proxies;  // common names of proxies; empty: any
};

class TlsServer {
 public:
  // Throws std::runtime_error for certificates and keys that cannot be used; `what()` says why.
  explicit TlsServer(const TlsSettings& settings);
  ~TlsServer();
  TlsServer(const TlsServer&) = delete;
  TlsServer& operator=(const TlsServer&) = delete;

  // For the handshakes of all threads. Lives as long as this object.
  boost::asio::ssl::context& context();

  // Returns the certificate that the client of a connection has shown, judged at the present time;
  // null if it has shown none. Any thread may call.
  std::shared_ptr<const ClientCertificate> certificate_of(SSL* connection) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Returns true if HTTP/2 was agreed on in the handshake.
bool speaks_http2(const SSL* connection);

}  // namespace tabernetes::host
