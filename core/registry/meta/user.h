// The user of a request.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tabernetes::registry {

struct User {
  std::string name, uid;
  std::vector<std::string> groups;
  std::vector<std::pair<std::string, std::vector<std::string>>> extra;  // sorted by key
};

}  // namespace tabernetes::registry
