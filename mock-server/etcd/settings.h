// What the flags about etcd mean: addresses, and certificates.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <memory>
#include <string>
#include <vector>

#include "etcd/channel.h"

namespace tabernetes::host::etcd {

// Parses URLs such as "http://127.0.0.1:2379". Throws a std::runtime_error.
std::vector<Endpoint> parse_endpoints(const std::vector<std::string>& urls);

// Returns what a connection trusts and shows. An empty `ca_file`: the system's authorities; an
// empty `cert_file`: it shows nothing. Throws a std::runtime_error.
std::unique_ptr<boost::asio::ssl::context> make_trust(const std::string& ca_file,
                                                      const std::string& cert_file,
                                                      const std::string& key_file);

}  // namespace tabernetes::host::etcd
