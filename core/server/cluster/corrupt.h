// Makes objects corrupt, for tests of clients. See server/request/readable.h.
#pragma once

#include <string>
#include <string_view>

#include "server/cluster/cluster.h"
#include "tabernetes/expected.h"

namespace tabernetes::server {

// Corrupts the object at `path`, such as /api/v1/namespaces/a/configmaps/b. Fails if there is none.
Expected<void> corrupt(Cluster& cluster, std::string_view path);

}  // namespace tabernetes::server
