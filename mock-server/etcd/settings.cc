#include "etcd/settings.h"

#include <stdexcept>
#include <string_view>

namespace tabernetes::host::etcd {
namespace {

namespace ssl = boost::asio::ssl;

Endpoint parse_endpoint(const std::string& url) {
  const auto refuse = [&] {
    return std::runtime_error(
        "--etcd-servers: expected http://HOST:PORT or https://HOST:PORT, not " + url);
  };
  Endpoint endpoint;
  std::string_view rest = url;
  if (rest.starts_with("https://")) {
    endpoint.tls = true;
    rest.remove_prefix(8);
  } else if (rest.starts_with("http://")) {
    rest.remove_prefix(7);
  } else {
    throw refuse();
  }
  if (rest.ends_with('/')) rest.remove_suffix(1);
  const std::size_t colon = rest.rfind(':');
  std::string_view host = rest.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (colon == std::string_view::npos || host.empty() || rest.find('/') != std::string_view::npos) {
    throw refuse();
  }
  endpoint.host = host;
  endpoint.port = rest.substr(colon + 1);
  if (endpoint.port.empty() || endpoint.port.find_first_not_of("0123456789") != std::string::npos) {
    throw refuse();
  }
  return endpoint;
}

void check(const boost::system::error_code& error, const std::string& flag,
           const std::string& file) {
  if (error) throw std::runtime_error(flag + ": cannot use " + file + ": " + error.message());
}

}  // namespace

std::vector<Endpoint> parse_endpoints(const std::vector<std::string>& urls) {
  std::vector<Endpoint> endpoints;
  for (const std::string& url : urls) endpoints.push_back(parse_endpoint(url));
  return endpoints;
}

std::unique_ptr<ssl::context> make_trust(const std::string& ca_file, const std::string& cert_file,
                                         const std::string& key_file) {
  auto trust = std::make_unique<ssl::context>(ssl::context::tls_client);
  trust->set_options(ssl::context::no_tlsv1 | ssl::context::no_tlsv1_1);
  trust->set_verify_mode(ssl::verify_peer);
  boost::system::error_code error;
  if (ca_file.empty()) {
    trust->set_default_verify_paths(error);
    check(error, "--etcd-cafile", "the system's authorities");
  } else {
    trust->load_verify_file(ca_file, error);
    check(error, "--etcd-cafile", ca_file);
  }
  if (cert_file.empty() != key_file.empty()) {
    throw std::runtime_error("--etcd-certfile and --etcd-keyfile need each other");
  }
  if (cert_file.empty()) return trust;
  trust->use_certificate_chain_file(cert_file, error);
  check(error, "--etcd-certfile", cert_file);
  trust->use_private_key_file(key_file, ssl::context::pem, error);
  check(error, "--etcd-keyfile", key_file);
  return trust;
}

}  // namespace tabernetes::host::etcd
