// Texts in PEM, read as Go's encoding/pem reads them.
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

// The next block of `text`, which loses it and all before; nothing if there is no more. What is no
// block is skipped.
std::optional<PemBlock> take_pem_block(std::string_view& text);

}  // namespace tabernetes
