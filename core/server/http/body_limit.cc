#include "server/http/body_limit.h"

#include "tabernetes/http.h"

namespace tabernetes {

// A snapshot may be as large as a cluster.
std::size_t max_body_bytes(std::string_view target) {
  constexpr std::size_t kMaxSnapshotBytes = std::size_t{1} << 30;
  return target == "/-/tabernetes/snapshot" ? kMaxSnapshotBytes : server::kMaxBodyBytes;
}

}  // namespace tabernetes
