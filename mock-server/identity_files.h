// Reads the files that identify callers: tokens, and the key that signs the cluster's own tokens.
#pragma once

#include <string>
#include <vector>

#include "flags.h"

namespace tabernetes::host {

struct IdentityFiles {
  std::string token_file, service_account_key;  // the files' texts; empty if no file was named
};

// Reads the files that `flags` name. Appends errors to `problems`.
IdentityFiles read_identity_files(const ServeFlags& flags, std::vector<std::string>& problems);

}  // namespace tabernetes::host
