// `tabernetes check FILE…`: checks manifests without a cluster.
#pragma once

#include <string>
#include <vector>

namespace tabernetes::host {

// Prints a line on stdout for each fault and warning, and how much was checked on stderr. Returns
// the exit code: 0, or 1 if there are faults or a file cannot be read.
int check_files(const std::vector<std::string>& paths);

}  // namespace tabernetes::host
