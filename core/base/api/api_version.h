// Splitting an apiVersion into group and version.
#pragma once

#include <string_view>

namespace tabernetes {

struct ApiVersionParts {
  std::string_view group;  // empty for the core group
  std::string_view version;
};

// Splits "apps/v1" into apps and v1; "v1" has an empty group. Text after a second slash stays part
// of the version. The results are views of `text`.
inline ApiVersionParts split_api_version(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return {{}, text};
  return {text.substr(0, slash), text.substr(slash + 1)};
}

}  // namespace tabernetes
