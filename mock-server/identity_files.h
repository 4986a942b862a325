// Reads the files about callers: tokens, the key that signs the cluster's own tokens, and what ABAC
// allows whom.
#pragma once

#include <string>
#include <vector>

#include "flags.h"

namespace tabernetes::host {

struct IdentityFiles {
  // The files' texts; empty if no file was named.
  std::string token_file, service_account_key, authorization_policy;
};

// Reads the files that `flags` name. Appends errors to `problems`.
IdentityFiles read_identity_files(const ServeFlags& flags, std::vector<std::string>& problems);

}  // namespace tabernetes::host
