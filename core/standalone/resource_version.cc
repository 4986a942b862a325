#include "base/api/resource_version.h"

#include "tabernetes/standalone.h"

namespace tabernetes {

Expected<std::strong_ordering> compare_resource_versions(std::string_view a, std::string_view b) {
  for (const std::string_view version : {a, b}) {
    if (!is_resource_version(version)) {
      return Fault{std::string(kNoResourceVersion).append(version)};
    }
  }
  return a.size() != b.size() ? a.size() <=> b.size() : a.compare(b) <=> 0;
}

}  // namespace tabernetes
