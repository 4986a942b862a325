// Loads the manifests of --load: files, folders, standard input.
#pragma once

#include <string>
#include <vector>

#include "tabernetes/api_server.h"

namespace tabernetes::host {

struct Manifest {
  std::string name;  // the name shown to the user: the path, or "-"
  std::string text;
};

// Reads the files of `paths`: a file, "-" for stdin, or a folder, whose .yaml, .yml and .json files
// are read at any depth, in the order of their paths. Adds a line to `problems` for each path that
// cannot be read.
std::vector<Manifest> read_manifests(const std::vector<std::string>& paths,
                                     std::vector<std::string>& problems);

// Creates the objects of all `manifests` in `server`. An object may need one of a later manifest,
// such as its namespace. Returns the errors, one line each: "FILE: document N: MESSAGE".
std::vector<std::string> load_manifests(ApiServer& server, const std::vector<Manifest>& manifests);

}  // namespace tabernetes::host
