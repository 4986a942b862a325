// The files that say by what callers are known: tokens, and the key that signs ours.
#pragma once

#include <string>
#include <vector>

#include "flags.h"

namespace tabernetes::host {

struct IdentityFiles {
  std::string token_file, service_account_key;  // their texts; empty: no file was named
};

// Appends what is wrong with them to `problems`.
IdentityFiles read_identity_files(const ServeFlags& flags, std::vector<std::string>& problems);

}  // namespace tabernetes::host
