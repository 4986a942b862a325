// Checks of what a host is given to know its callers by.
#pragma once

#include <string>
#include <string_view>

namespace tabernetes {

// Whether Options::service_account_key may be this: an RSA private key as PEM.
bool is_signing_key(std::string_view pem);

// What is wrong with a token file (see Options::token_file); empty: nothing.
std::string token_file_fault(std::string_view text);

// The first token of such a file: of a kubeconfig that is to work. Empty: it has none.
std::string first_token(std::string_view text);

}  // namespace tabernetes
