// Loads what --load names: files, folders, standard input.
#pragma once

#include <string>
#include <vector>

#include "tabernetes/api_server.h"

namespace tabernetes::host {

struct Manifest {
  std::string name;  // as named to the user: the path, or "-"
  std::string text;
};

// Reads the files that `paths` name: a file, "-" for stdin, or a folder, whose .yaml, .yml and
// .json files are taken at any depth, in the order of their paths. A path that cannot be read adds
// a line to `problems`.
std::vector<Manifest> read_manifests(const std::vector<std::string>& paths,
                                     std::vector<std::string>& problems);

// Creates the objects of all `manifests` in `server`. An object may need one of a later manifest,
// such as its namespace. Returns what went wrong, a line each: "FILE: document N: MESSAGE".
std::vector<std::string> load_manifests(ApiServer& server, const std::vector<Manifest>& manifests);

}  // namespace tabernetes::host
