// PEM blocks, read like Go's encoding/pem.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tabernetes {

struct PemBlock {
  std::string type;  // "CERTIFICATE"
  std::string bytes;
  bool has_headers = false;
};

// Returns the next block and removes it and everything before it from `text`; nullopt if there is
// none left. Malformed blocks are skipped.
std::optional<PemBlock> take_pem_block(std::string_view& text);

}  // namespace tabernetes
