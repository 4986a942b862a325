// Order of resource versions, as clients may rely on it since Kubernetes 1.35: within one resource,
// the versions of any two objects or lists, of whatever namespaces, tell which is newer.
#pragma once

#include <string>
#include <string_view>

namespace tabernetes {

struct VersionOrder {
  int order = 0;      // below 0: `a` is older; 0: the same; above 0: `a` is newer
  std::string error;  // "resource version is not well formed: x"; empty: compared
};

// Versions are decimal numbers without leading zeros, of any length. "" and "0" are no versions of
// anything.
VersionOrder compare_resource_versions(std::string_view a, std::string_view b);

}  // namespace tabernetes
