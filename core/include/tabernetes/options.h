// How a cluster is made: what a host may choose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tabernetes/time.h"

namespace tabernetes {

// Fills `size` bytes with random ones. The only way randomness enters the core.
using EntropySource = std::function<void(unsigned char* bytes, std::size_t size)>;

struct Options {
  Time now;                // the cluster's first moment
  std::uint64_t seed = 0;  // fixes uids and suffixes when `entropy` is empty
  EntropySource entropy;   // the host's randomness; empty: reproducible from `seed`
  // What resourceVersions begin at. A host that loses its state when it is started anew begins
  // higher each time, such as at the microseconds of the start: versions of its earlier life are
  // then old ones, not ones of the future, after which a client would hear nothing.
  std::uint64_t first_version = 1;
  // How long a request waits for a resourceVersion that is not reached yet.
  Duration freshness_wait = Duration::from_seconds(3);
  // Kubernetes' names; hosts refuse unknown ones.
  std::map<std::string, bool> feature_gates;
  std::vector<std::string> controllers;           // names of loops to run; none exist yet
  int nodes = 0;                                  // simulated nodes to register
  std::string server_address = "127.0.0.1:8001";  // what the cluster says of itself
  // How long versions that are not the present one can be read and watched from. Memory bounds it
  // too: 100,000 changes, 256 MiB.
  Duration watch_history = Duration::from_seconds(300);
  // How much memory encodings other than JSON may take that are kept for those who ask again.
  std::size_t encoded_bytes = std::size_t{64} << 20;
  // Whether the host can compress bodies: see Response::content_encoding.
  bool compression = true;
  // Regular expressions (see cors.h): pages of these origins may read answers. Empty: none.
  std::vector<std::string> cors_allowed_origins;
  bool admin = true;  // the /-/tabernetes/ endpoints
};

}  // namespace tabernetes
