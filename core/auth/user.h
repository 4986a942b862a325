// Who asks.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tabernetes::auth {

struct User {
  std::string name, uid;
  std::vector<std::string> groups;
  std::vector<std::pair<std::string, std::vector<std::string>>> extra;  // sorted by key
};

// Who comes without a credential. Source: spec/rest.md 10.
inline User anonymous_user() {
  return {.name = "system:anonymous", .uid = {}, .groups = {"system:unauthenticated"}, .extra = {}};
}

}  // namespace tabernetes::auth
