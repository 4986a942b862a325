// The commands that work on data directories.
//
//   tabernetes backup DIR FILE    copies the data, as of one moment, to a new file
//   tabernetes restore FILE DIR   makes a directory of a backup; there must be no data in it
//   tabernetes check-data DIR     checks the data, and prints how much there is
//
// A server may be running on the directory of a backup or a check.
#pragma once

#include "flags.h"

namespace tabernetes::host {

// Returns the exit code: 0, or 1 after a line on stderr per problem.
int run_data_command(const DataCommand& command);

}  // namespace tabernetes::host
