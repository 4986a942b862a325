// The APIServices of a fresh cluster: one of each group version that it serves but the
// aggregator's own.
#pragma once

#include <string>

namespace tabernetes::server {

// In JSON, a document after the other.
std::string api_services_manifest();

}  // namespace tabernetes::server
