// Certificates with their private keys.
#pragma once

#include <string>
#include <string_view>

namespace tabernetes::registry::kinds {

// Returns what is wrong with a certificate and its key, as crypto/tls.X509KeyPair; empty if they
// are valid.
std::string key_pair_fault(std::string_view certificate, std::string_view key);

}  // namespace tabernetes::registry::kinds
