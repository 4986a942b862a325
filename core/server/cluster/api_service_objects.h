// The APIServices of a fresh cluster: one for each group version that it serves, except the
// aggregator's own.
#pragma once

#include <string>

namespace tabernetes::server {

// Returns a sequence of JSON documents.
std::string api_services_manifest();

}  // namespace tabernetes::server
