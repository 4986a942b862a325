// Checks manifests without a cluster, as a server would at `kubectl apply --dry-run=server
// --validate=strict`.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tabernetes/time.h"

namespace tabernetes {

// YAML or JSON: any number of documents, lists and dumps included.
struct ManifestFile {
  std::string name;
  std::string text;
};

struct ManifestFault {
  std::string file;
  std::size_t line = 1;    // of the field, or else of the object
  std::string kind, name;  // of the object; empty if it has none
  std::string message;
  bool warning = false;  // the server takes the object, but warns
};

// Returns "FILE:LINE: KIND NAME: MESSAGE".
std::string line_of(const ManifestFault& fault);

struct ManifestCheck {
  std::vector<ManifestFault> faults;  // in the order of files and lines
  std::size_t objects = 0;
};

// Checks the objects of all files together: a custom resource by the definition in another file,
// limits and policies as if they were in force. Namespaces that objects name need not be there.
// Webhooks are not called.
ManifestCheck check_manifests(const std::vector<ManifestFile>& files, Time now);

}  // namespace tabernetes
