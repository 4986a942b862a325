// What stands in the place of etcd for test kits that start one beside kube-apiserver: it says that
// it is well, and stores nothing.
#pragma once

#include <string>
#include <vector>

namespace tabernetes::host {

// Serves until SIGTERM or SIGINT. `arguments`: without the name of the program. Only
// --listen-client-urls, --help and --version have an effect. Returns the exit code.
int run_etcd_stand_in(const std::vector<std::string>& arguments);

}  // namespace tabernetes::host
