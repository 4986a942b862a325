// The text of apiVersion taken apart.
#pragma once

#include <string_view>

namespace tabernetes {

struct ApiVersionParts {
  std::string_view group;  // empty for the core group
  std::string_view version;
};

// "apps/v1" is apps and v1, "v1" is the core group's. What follows a second slash stays with the
// version. Both are views of `text`.
inline ApiVersionParts split_api_version(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return {{}, text};
  return {text.substr(0, slash), text.substr(slash + 1)};
}

}  // namespace tabernetes
