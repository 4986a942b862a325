#include "tabernetes/resource_version.h"

#include "base/ascii.h"

namespace tabernetes {
namespace {

bool well_formed(std::string_view version) { return is_number(version) && version.front() != '0'; }

}  // namespace

VersionOrder compare_resource_versions(std::string_view a, std::string_view b) {
  for (const std::string_view version : {a, b}) {
    if (!well_formed(version)) {
      return {0, "resource version is not well formed: " + std::string(version)};
    }
  }
  if (a.size() != b.size()) return {a.size() < b.size() ? -1 : 1, {}};
  return {a.compare(b), {}};
}

}  // namespace tabernetes
