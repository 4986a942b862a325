// Reads the files about access: tokens, the key that signs the cluster's own tokens, what ABAC
// allows whom, and configurations of callers and admission, with the files that these name.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "flags.h"

namespace tabernetes::host {

struct IdentityFiles {
  // The files' texts; empty if no file was named.
  std::string token_file, service_account_key, service_account_verification_keys;
  std::string admission_configuration;
  std::string authorization_policy, authorization_configuration, authentication_configuration;
  std::map<std::string, std::string> files;  // as in Options
  OidcIssuer oidc;                           // with an absolute path
  TokenReviewWebhook token_webhook;          // with an absolute path
};

// Reads the file of tokens, if the flags name one. Appends errors to `problems`.
std::string read_token_file(const ServeFlags& flags, std::vector<std::string>& problems);

// Reads the files that `flags` name. Appends errors to `problems`.
IdentityFiles read_identity_files(const ServeFlags& flags, std::vector<std::string>& problems);

}  // namespace tabernetes::host
